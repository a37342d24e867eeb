import { parseArgs } from 'node:util';

/**
 * Reads the arguments of a script. Wrong arguments end it with its usage and status 2.
 * @param {string} usage
 * @param {import('node:util').ParseArgsConfig} config by default no options and no positional arguments
 * @param read turns the parsed arguments into what the script needs, and throws when they are wrong
 */
export function readArguments(usage, config = {}, read = (parsed) => parsed) {
  try {
    const help = { type: 'boolean', short: 'h' };
    const parsed = parseArgs({ ...config, options: { ...config.options, help } });
    if (parsed.values.help) {
      console.log(`Usage: ${usage}`);
      process.exit(0);
    }
    return read(parsed);
  } catch ({ message }) {
    console.error(`${message}\nUsage: ${usage}`);
    process.exit(2);
  }
}

/** How a program of this project is called here: by npm, as a script, or as a command of the image. */
export function callOf(name) {
  if (process.env.npm_lifecycle_event) return `npm run --silent ${name}`;
  return process.argv[1].endsWith('.mjs') ? `node scripts/${name}.mjs` : name;
}
