import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { startTestService } from '../support/service.js';

const NOT_FOUND = { status: 404, body: { error: 'not_found' } };
/** What browsers send when someone follows a link. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const OWN_HOST_ONLY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const POLICY = `${OWN_HOST_ONLY}; img-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'`;
const DOCS_POLICY = `${OWN_HOST_ONLY}; img-src 'self' data:`;

const client = async (settings: Record<string, string> = {}) =>
  supertest((await startTestService(settings)).url);

describe('/', () => {
  it.each([
    ['/', 'ru-RU,ru;q=0.9,en;q=0.8', 'ru', 'просмотр лицензий 1С'],
    ['/', 'en-US,ru;q=0.5', 'en', '1C license viewer'],
    ['/', 'de', 'en', '1C license viewer'],
    ['/?lang=ru', 'en', 'ru', 'просмотр лицензий 1С'],
    ['/?lang=en', 'ru', 'en', '1C license viewer'],
    ['/?lang=xx', 'ru', 'ru', 'просмотр лицензий 1С'],
  ])('%s with Accept-Language: %s is in %s', async (path, accepted, language, title) => {
    const response = await (await client()).get(path).set('Accept-Language', accepted).expect(200);
    expect(response.headers).toMatchObject({
      'content-language': language,
      vary: 'Accept-Language',
      'cache-control': 'no-cache',
      'content-type': 'text/html; charset=utf-8',
    });
    expect(response.text).toContain(`<html lang="${language}">`);
    expect(response.text).toContain(`<title>License decoder: ${title}</title>`);
    // Shown before the script is there, which a slow line brings later.
    expect(response.text).toContain(`License decoder <small>${title}</small></h1>`);
    // There is no secret.
    expect(response.text).toContain('data-accepts-tokens="off"');
    expect(response.text).not.toMatch(/\{\{|undefined/);
  });

  it('tells the page the limits of the service, and that it accepts tokens', async () => {
    const service = await client({
      RATE_LIMIT_MAX: '7',
      RATE_LIMIT_WINDOW_SECONDS: '86400',
      DECODE_TIMEOUT_MS: '70000',
      JWT_SECRET: 'secret of the tests, 32 bytes or more',
    });
    const { text } = await service.get('/');
    expect(text).toContain('data-limit="7"');
    expect(text).toContain('data-window-seconds="86400"');
    expect(text).toContain('data-timeout-ms="70000"');
    expect(text).toContain('data-max-file-bytes="5242880"');
    expect(text).toContain('data-accepts-tokens="on"');
    expect(text).toMatch(/data-version="\d+\.\d+\.\d+/);
  });

  it('has an icon that other pages can use', async () => {
    const { headers } = await (await client()).get('/icon.svg').expect(200);
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=86400',
    });
  });
});

describe.each([
  ['/', POLICY, /^\.\/assets\/index-[\w-]{8}\.js \.\/assets\/style-[\w-]{8}\.css$/],
  ['/docs', DOCS_POLICY, /^\.\/assets\/docs-[\w-]{8}\.js \.\/assets\/docs-[\w-]{8}\.css$/],
])('%s', (page, contentSecurityPolicy, files) => {
  it('has nothing inline, under a policy that allows this host alone', async () => {
    const { headers, text } = await (await client()).get(page).expect('Cache-Control', 'no-cache');
    expect(headers['content-security-policy']).toBe(contentSecurityPolicy);
    expect(headers).not.toHaveProperty('set-cookie');
    expect(headers).not.toHaveProperty('last-modified');
    expect(text).not.toMatch(/<style|style=|\son\w+=|https?:|<script[^>]*>[^<]/);
  });

  it('loads its files under names that change with them, so that they may be kept', async () => {
    const service = await client();
    const { text } = await service.get(page);
    const paths = [...text.matchAll(/(?:src|href)="(\.\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(paths.join(' ')).toMatch(files);
    for (const path of paths) {
      const address = path.slice(1);
      const { headers } = await service.get(address).expect(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      const refusal = await service.get(address).set('If-Match', '"other"').expect(400);
      expect(refusal.headers['cache-control']).toBe('no-store');
    }
  });

  it('answers 405 to POST', async () => {
    const response = await (await client()).post(page);
    expect(response).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });
});

it.each([
  '/assets',
  '/assets/',
  '/assets/index.js',
  '/assets/..%2findex.html',
  '/assets/x%00.js',
  '/assets/%zz',
  '/index.html',
  '/docs/docs.html',
])('%s is no file of a page: 404', async (path) =>
  expect(await (await client()).get(path)).toMatchObject(NOT_FOUND),
);

describe('an unknown page', () => {
  it.each([
    ['ru', 'Такой страницы нет'],
    ['en', 'There is no such page'],
  ])('is readable for a browser (%s)', async (language, title) => {
    const service = await client();
    const response = await service.get('/licenses').set({ Accept: BROWSER, 'Accept-Language': language });
    expect(response).toMatchObject({ status: 404, headers: { 'content-security-policy': POLICY } });
    expect(response.text).toContain(`<h1>${title}</h1>`);
    expect(response.text).not.toMatch(/\{\{|undefined|<script/);
  });

  it.each([
    ['below /api', 'get', '/api/licenses', BROWSER],
    ['at /api', 'get', '/api', BROWSER],
    ['asked for by a program', 'get', '/licenses', '*/*'],
    ['asked for by a script', 'get', '/assets/old.js', '*/*'],
    ['with another method', 'post', '/licenses', BROWSER],
  ] as const)('%s is JSON', async (_case, method, path, accept) => {
    expect(await (await client())[method](path).set('Accept', accept)).toMatchObject(NOT_FOUND);
  });

  it('is logged like any other', async () => {
    const service = await startTestService();
    await supertest(service.url).get('/licenses').set('Accept', BROWSER);
    expect(service.requests()).toMatchObject([{ res: { status: 404 } }]);
    expect(JSON.stringify(service.requests())).toContain('not_found');
  });
});

it('WEB_UI=off leaves the API and its document, and no page', async () => {
  const service = await client({ WEB_UI: 'off' });
  for (const path of ['/', '/docs', '/icon.svg', '/licenses']) {
    expect(await service.get(path).set('Accept', BROWSER)).toMatchObject(NOT_FOUND);
  }
  await service.get('/api/docs').expect(200);
  await service.get('/healthz').expect(200);
});
