import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import jwt from 'jsonwebtoken';

/*
 * Prints a token for JWT_SECRET, from the environment or .env: `npm run --silent token -- --days 30 --subject NAME`.
 * The token alone goes to stdout, so that it can be piped; a reason for having none goes to stderr.
 */

const USAGE = 'Usage: npm run --silent token -- --days DAYS [--subject NAME]';
const SECONDS_A_DAY = 86_400;

function readArguments() {
  const { values } = parseArgs({ options: { days: { type: 'string' }, subject: { type: 'string' } } });
  const days = Number(values.days);
  if (!(days > 0 && days <= 36_500)) throw new Error('--days must be a number of days above 0.');
  return { days, subject: values.subject };
}

try {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const { JWT_SECRET } = process.env;
  if (!JWT_SECRET) {
    throw new Error(
      'JWT_SECRET is not set, in the environment or in .env: there is nothing to sign with. npm run secret makes one.',
    );
  }
  const { days, subject } = readArguments();
  console.log(
    jwt.sign({}, JWT_SECRET, {
      algorithm: 'HS256',
      expiresIn: Math.round(days * SECONDS_A_DAY),
      ...(subject !== undefined && { subject }),
    }),
  );
} catch (error) {
  console.error(`${error.message}\n${USAGE}`);
  process.exitCode = 1;
}
