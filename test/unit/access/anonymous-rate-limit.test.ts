import express from 'express';
import { pino } from 'pino';
import supertest from 'supertest';
import { expect, it } from 'vitest';
import { anonymousRateLimit } from '../../../src/access/anonymous-rate-limit.js';
import { loadConfig } from '../../../src/config/settings.js';

it('a window that ends with the request ends in one second: 0 would make clients try again at once', async () => {
  // One that answers after the window has ended, as Redis may.
  const increment = () => ({ totalHits: 1, resetTime: new Date() });
  const store = { increment, decrement: () => undefined, resetKey: () => undefined };
  const limit = anonymousRateLimit(loadConfig({}), store, pino({ level: 'silent' }));
  const app = express().use(limit, (_req, res) => void res.end());
  const { headers } = await supertest(app).get('/');
  expect(headers['x-ratelimit-reset']).toBe('1');
});
