#!/usr/bin/env node
import jwt from 'jsonwebtoken';
import { loadEnvFile, MIN_SECRET_BYTES } from '../dist/config/settings.js';
import { callOf, readArguments } from './arguments.mjs';

/*
 * Prints a token signed with JWT_SECRET, which is taken from the environment or from .env. Nothing but the token goes to
 * stdout, so that it can be piped.
 */

// npm takes arguments before `--` for its own.
const SEPARATOR = process.env.npm_lifecycle_event ? ' --' : '';
const USAGE = `${callOf('token')}${SEPARATOR} --days DAYS [--subject NAME]`;
const SECONDS_PER_DAY = 86_400;

const options = { days: { type: 'string' }, subject: { type: 'string' } };
const { days, subject } = readArguments(USAGE, { options }, ({ values }) => {
  const days = Number(values.days);
  if (!(days > 0 && days <= 36_500)) throw new Error('--days must be a number above 0, up to 36500.');
  return { ...values, days };
});
try {
  loadEnvFile();
  const { JWT_SECRET } = process.env;
  const advice = `${callOf('secret')} prints a new one.`;
  if (!JWT_SECRET) throw new Error(`JWT_SECRET is not set, in the environment or in .env. ${advice}`);
  if (Buffer.byteLength(JWT_SECRET) < MIN_SECRET_BYTES) {
    const problem = `JWT_SECRET is shorter than ${MIN_SECRET_BYTES} bytes: with any token it can be guessed in seconds.`;
    console.error(`${problem} ${advice}`);
  }

  const signing = { algorithm: 'HS256', expiresIn: Math.round(days * SECONDS_PER_DAY) };
  // jsonwebtoken refuses a subject that is undefined.
  if (subject !== undefined) signing.subject = subject;
  console.log(jwt.sign({}, JWT_SECRET, signing));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
