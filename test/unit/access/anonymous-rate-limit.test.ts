import express from 'express';
import pino from 'pino';
import supertest from 'supertest';
import { expect, it } from 'vitest';
import { anonymousRateLimit } from '../../../src/access/anonymous-rate-limit.js';
import { loadConfig } from '../../../src/config/settings.js';

it('a window that ends with the request ends in one second: 0 would make clients try again at once', async () => {
  // One that answers after the window has ended, as Redis may.
  const usage = Promise.resolve({ hits: 1, leftMs: 0 });
  const store = { count: () => usage, peek: () => usage };
  const limiter = anonymousRateLimit(loadConfig({}), store, pino({ enabled: false }));
  const app = express().use(limiter, (_req, res) => void res.end());
  const { headers } = await supertest(app).get('/');
  expect(headers['x-ratelimit-reset']).toBe('1');
});
