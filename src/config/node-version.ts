import { createRequire } from 'node:module';

/*
 * Imported first by server.ts: on an older Node.js the libraries fail while they load, with a stack trace that does
 * not name the cause.
 */
const { engines } = createRequire(import.meta.url)('../../package.json') as { engines: { node: string } };
const [oldest = ''] = /\d+\.\d+\.\d+/.exec(engines.node) ?? [];
if (process.versions.node.localeCompare(oldest, 'en', { numeric: true }) < 0) {
  process.stderr.write(`Node.js ${engines.node} is needed; this is ${process.versions.node}.\n`);
  process.exit(1);
}
