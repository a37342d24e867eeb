import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { expectDocumented } from '../support/contract.js';
import { sendRaw } from '../support/raw-http.js';
import { startTestService } from '../support/service.js';

const require = createRequire(import.meta.url);
const { version } = require('swagger-ui-dist/package.json') as { version: string };

describe('/docs', () => {
  it('is a page with nothing inline, under a policy that allows this host alone', async () => {
    const response = await supertest((await startTestService()).url)
      .get('/docs')
      .expect(200);
    expectDocumented(response, '/docs', 'get');
    expect(response.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(response.text).not.toMatch(/<style|style=|\bon\w+=|https?:|<script[^>]*>[^<]/);
  });

  it('names the files it needs; those of the package have its version and may be kept', async () => {
    const { url } = await startTestService();
    const { text } = await supertest(url).get('/docs');
    const paths = [...text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path = '']) => path);
    const ofPackage = paths.filter((path) => !['/docs/start.js', '/docs/style.css'].includes(path));
    expect(paths).toHaveLength(4);
    expect(ofPackage).toHaveLength(2);
    for (const path of ofPackage) {
      expect(path).toContain(version);
      const response = await supertest(url).get(path).responseType('blob').expect(200);
      expect(response.headers['cache-control']).toMatch(/^public, max-age=31536000.*immutable/);
      const name = path.split('/').at(-1) ?? '';
      expect(readFileSync(require.resolve(`swagger-ui-dist/${name}`)).equals(response.body as Buffer)).toBe(
        true,
      );
      const other = await supertest(url).get(path.replace(version, '1.0.0'));
      expect(other.headers['cache-control'] ?? '').not.toContain('immutable');
    }
    for (const path of ['/docs/start.js', '/docs/style.css']) {
      await supertest(url).get(path).expect(200).expect('Cache-Control', 'no-cache');
    }
  });

  it.each([
    'index.html',
    `${version}/index.html`,
    `${version}/../package.json`,
    `${version}/%2e%2e/%2e%2e/etc/passwd`,
    `${version}/swagger-ui.css%00.js`,
    'start.js/x',
  ])('%s: 404 in JSON', async (path) => {
    const request = `GET /docs/${path} HTTP/1.1\r\nHost: test\r\n\r\n`;
    const { responses } = await sendRaw((await startTestService()).port, [request]);
    expect(responses).toMatchObject([{ status: 404, body: { error: 'not_found' } }]);
  });
});
