import { createRequire } from 'node:module';
import { satisfies } from 'semver';

/*
 * `server.ts` imports this first. On another Node.js the libraries may fail to load, with an error that does not name the
 * cause.
 */
const { engines } = createRequire(import.meta.url)('../package.json') as { engines: { node: string } };
const { node: running } = process.versions;
const isSupported = satisfies(running, engines.node);
if (!isSupported) {
  process.stderr.write(`Node.js ${engines.node} is needed; this is ${running}.\n`);
  process.exit(1);
}
