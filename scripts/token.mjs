#!/usr/bin/env node
import { existsSync } from 'node:fs';
import jwt from 'jsonwebtoken';
import { readArguments } from './arguments.mjs';

/*
 * Prints a token signed with JWT_SECRET, of the environment or of .env. Only the token goes to stdout, so that it can
 * be piped.
 */

const USAGE = 'npm run --silent token -- --days DAYS [--subject NAME]   (in the image: token --days DAYS …)';
const SECONDS_PER_DAY = 86_400;

const options = { days: { type: 'string' }, subject: { type: 'string' } };
const { days, subject } = readArguments(USAGE, { options }, ({ values }) => {
  const days = Number(values.days);
  if (!(days > 0 && days <= 36_500)) throw new Error('--days must be a number above 0, up to 36500.');
  return { ...values, days };
});
try {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const { JWT_SECRET } = process.env;
  if (!JWT_SECRET)
    throw new Error('JWT_SECRET is not set, in the environment or in .env. npm run secret prints one.');
  const options = { algorithm: 'HS256', expiresIn: Math.round(days * SECONDS_PER_DAY) };
  console.log(jwt.sign({}, JWT_SECRET, { ...options, ...(subject !== undefined && { subject }) }));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
