import { parseArgs } from 'node:util';

/**
 * Reads the arguments of a script. Wrong ones end it with its usage and status 2.
 * @param {string} usage
 * @param {import('node:util').ParseArgsConfig} config no option and no positional by default
 * @param read makes what the script needs of the parsed arguments, and throws for those that are wrong
 */
export function readArguments(usage, config = {}, read = (parsed) => parsed) {
  try {
    return read(parseArgs(config));
  } catch ({ message }) {
    console.error(`${message}\nUsage: ${usage}`);
    process.exit(2);
  }
}
