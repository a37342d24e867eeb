#!/usr/bin/env node
import { randomBytes } from 'node:crypto';

/* Prints a new JWT_SECRET: 32 random bytes, what HS256 needs (RFC 7518, section 3.2). */
console.log(randomBytes(32).toString('base64url'));
