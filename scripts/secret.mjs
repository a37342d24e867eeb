#!/usr/bin/env node
import { randomBytes } from 'node:crypto';
import { readArguments } from './arguments.mjs';

/* Prints a new JWT_SECRET: 32 random bytes, what HS256 needs (RFC 7518, section 3.2). */
readArguments('npm run --silent secret   (in the image: secret)');
console.log(randomBytes(32).toString('base64url'));
