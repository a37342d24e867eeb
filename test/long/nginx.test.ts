import { describe, expect, it } from 'vitest';
import { behindNginx, openMany } from '../support/nginx.js';
import { upload } from '../support/service.js';
import { until } from '../support/until.js';

describe('behind nginx with docs/deploy/nginx/nginx.conf', { tags: 'nginx' }, () => {
  it('2,100 connections with half a header keep nobody out, and are closed', async () => {
    const { url, port } = await behindNginx();
    const { open } = await openMany(port, 2100, 'GET / HTTP/1.1\r\nHost: x\r\n');
    expect(open()).toBeGreaterThan(0);
    await upload({ url }).expect(200);
    await until(() => open() === 0);
  });
});
