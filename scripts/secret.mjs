#!/usr/bin/env node
import { randomBytes } from 'node:crypto';
import { callOf, readArguments } from './arguments.mjs';

/* Prints a new JWT_SECRET: 32 random bytes, what HS256 needs (RFC 7518, section 3.2). */
readArguments(callOf('secret'));
console.log(randomBytes(32).toString('base64url'));
