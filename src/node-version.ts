import { createRequire } from 'node:module';
import { satisfies } from 'semver';

// Imported first by server.ts: on another Node.js the libraries may fail to load, without naming the cause.
const { engines } = createRequire(import.meta.url)('../package.json') as { engines: { node: string } };
if (!satisfies(process.versions.node, engines.node)) {
  process.stderr.write(`Node.js ${engines.node} is needed; this is ${process.versions.node}.\n`);
  process.exit(1);
}
