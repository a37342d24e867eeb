import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { behindNginx, openMany } from '../support/nginx.js';
import { upload } from '../support/service.js';
import { until } from '../support/until.js';

describe('behind nginx with docs/deploy/nginx/nginx.conf', { tags: 'nginx' }, () => {
  it('no request is lost while connections rest longer than Node keeps them by default', async () => {
    const { url } = await behindNginx();
    await upload({ url }).expect(200);
    await sleep(6500);
    expect((await upload({ url })).status).toBe(200);
  });

  it('2,100 connections with half a header keep nobody out, and are closed', async () => {
    const { url, port } = await behindNginx();
    const { open } = await openMany(port, 2100, 'GET / HTTP/1.1\r\nHost: x\r\n');
    expect(open()).toBeGreaterThan(0);
    await upload({ url }).expect(200);
    await until(() => open() === 0);
  });
});
