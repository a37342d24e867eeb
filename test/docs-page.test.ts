import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { expectDocumented } from './support/contract.js';
import { sendRaw } from './support/raw-http.js';
import { isInstalled } from './support/servers.js';
import { startTestService } from './support/service.js';

const DEMO = resolve(import.meta.dirname, '../scripts/demo-ring');
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];
const require = createRequire(import.meta.url);
const hasChromium = isInstalled('chromium', 'chromium', 'the page in a browser');

const start = (settings: Record<string, string> = {}) =>
  startTestService({ RING_CMD: join(DEMO, 'ring'), ...settings });

describe('GET /', () => {
  it.each(['get', 'head'] as const)('%s leads to /docs', async (method) => {
    const { url } = await start();
    const response = await supertest(url)[method]('/').redirects(0);
    expect(response.status).toBe(302);
    expect(response.headers['location']).toBe('/docs');
  });
});

describe('GET /docs', () => {
  it('is a page with nothing inline, under a policy that allows this host alone', async () => {
    const response = await supertest((await start()).url).get('/docs');
    expect(response.status).toBe(200);
    expectDocumented(response, '/docs', 'get');
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(response.text).not.toMatch(/<style|style=|\bon\w+=|https?:|<script[^>]*>[^<]/);
  });

  it('names its files, the ones of the package under URLs that change with its version', async () => {
    const service = await start();
    const { text } = await supertest(service.url).get('/docs');
    const urls = [...text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, url = '']) => url);
    const { version } = require('swagger-ui-dist/package.json') as { version: string };
    expect(new Set(urls)).toEqual(
      new Set(['/docs/start.js', ...FILES.map((name) => `/docs/${name}?v=${version}`)]),
    );
    for (const url of urls) await supertest(service.url).get(url).expect(200);
  });

  it.each([
    ['swagger-ui.css', 'text/css; charset=utf-8'],
    ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['favicon-32x32.png', 'image/png'],
  ])('%s comes from the package as it is, and may be kept', async (name, type) => {
    const service = await start();
    const original = readFileSync(require.resolve(`swagger-ui-dist/${name}`));
    const response = await supertest(service.url).get(`/docs/${name}`).responseType('blob').expect(200);
    expect(response.headers['content-type']).toBe(type);
    expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(original.equals(response.body as Buffer)).toBe(true);
    const head = await supertest(service.url).head(`/docs/${name}`).expect(200);
    expect(head.headers['content-length']).toBe(String(original.length));
  });

  it.each([
    ['Range', 'bytes=99999999-'],
    ['If-Match', '"x"'],
    ['If-Unmodified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ])('the header %s changes nothing', async (name, value) => {
    const service = await start();
    for (const path of ['/docs', '/docs/start.js', '/docs/swagger-ui.css'])
      await supertest(service.url).get(path).set(name, value).expect(200);
  });

  it.each([
    'index.html',
    'swagger-initializer.js',
    'swagger-ui-bundle.js.map',
    'swagger-ui-es-bundle.js',
    'package.json',
    'start.js/x',
    '../package.json',
    '..%2fpackage.json',
    '%2e%2e/%2e%2e/etc/passwd',
    '..%5cpackage.json',
    '/etc/passwd',
    'swagger-ui.css%00.js',
  ])('/docs/%s: 404 in JSON', async (path) => {
    const { responses } = await sendRaw((await start()).port, [
      `GET /docs/${path} HTTP/1.1\r\nHost: test\r\n\r\n`,
    ]);
    expect(responses).toMatchObject([{ status: 404, body: { error: 'not_found' } }]);
  });

  it.each(['/', '/docs', '/docs/start.js', '/docs/swagger-ui.css'])('post %s: 405', async (path) => {
    const response = await supertest((await start()).url).post(path);
    expect(response.status).toBe(405);
    expect(response.headers['allow']).toBe('GET, HEAD');
    expect(response.body).toMatchObject({ error: 'method_not_allowed' });
    expectDocumented(response, '/docs', 'get');
  });
});

/** Opens a page of a new browser, and gathers what must not be seen there. */
async function openBrowser(origin: string): Promise<{ page: Page; complaints: string[]; foreign: string[] }> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      // Chromium's sandbox does not start as root, which is what containers run tests as.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(10_000);
  const complaints: string[] = [];
  const foreign: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol !== 'data:') foreign.push(request.url());
  });
  return { page, complaints, foreign };
}

/** Presses Execute and waits until the page shows the answer. */
async function execute(page: Page): Promise<{ status: string; body: unknown; text: string }> {
  const answered = page.waitForResponse('**/api/decode');
  await page.getByRole('button', { name: 'Execute' }).click();
  const id = (await (await answered).headerValue('x-request-id')) ?? '';
  const shown = page.locator('.live-responses-table tbody');
  await shown.getByText(id).waitFor();
  return {
    status: (await shown.locator('.response-col_status').innerText()).trim(),
    body: JSON.parse(await shown.locator('.highlight-code code').innerText()),
    text: await shown.innerText(),
  };
}

describe.skipIf(!hasChromium)('the page in a browser', () => {
  it('decodes a sample with a Cyrillic name, and shows the limit after the third', async () => {
    const service = await start({ RATE_LIMIT_MAX: '3' });
    const { page, complaints, foreign } = await openBrowser(service.url);
    await page.goto(`${service.url}/`);
    expect(page.url()).toBe(`${service.url}/docs`);
    await page.getByText('Decode a licence file').click();
    await page.locator('input[type=file]').setInputFiles(join(DEMO, 'samples/лицензия-склад.lic'));
    await page.getByPlaceholder('detailed').fill('true');

    const first = await execute(page);
    expect(first.status).toBe('200');
    expect(Object.keys(first.body as object)).toEqual([
      'licName',
      'pinCode',
      'licData',
      'validateData',
      'licHWConfig',
      'currentHWConfig',
    ]);
    expect(first.body).toMatchObject({
      pinCode: '620-914-378-205-517',
      licData: expect.stringMatching(/^Информация о пользователе:\n {4}Имя: Тимур\n/) as string,
      validateData: expect.stringContaining('Проверка лицензии завершилась с ошибкой.') as string,
      licHWConfig: expect.stringContaining('Computer name : sklad-1c') as string,
      currentHWConfig: expect.stringContaining('OS name : Linux') as string,
    });
    expect(first.text).toMatch(/x-ratelimit-limit: 3\b[^]*x-ratelimit-remaining: 2\b/);

    for (const left of [1, 0]) {
      const { status, text } = await execute(page);
      expect(status).toBe('200');
      expect(text).toContain(`x-ratelimit-remaining: ${left}`);
    }
    const refused = await execute(page);
    expect(refused.status).toBe('429');
    expect(refused.body).toMatchObject({ error: 'rate_limited', retryAfter: expect.any(Number) as number });
    expect(refused.text).toContain('retry-after: ');

    // The browser itself notes every answer of 400 or more.
    expect(complaints).toEqual([expect.stringContaining('status of 429')]);
    expect(foreign).toEqual([]);
  });

  it('opens at an operation that the URL names, and takes a token by the Enter key', async () => {
    const service = await start({ RATE_LIMIT_MAX: '0' });
    const { page, complaints, foreign } = await openBrowser(service.url);
    await page.goto(`${service.url}/#/Decoding/decode`);
    await page.locator('input[type=file]').setInputFiles(join(DEMO, 'samples/20240115120000.lic'));
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.locator('.auth-container input').fill('no.valid.token');
    await page.locator('.auth-container input').press('Enter');
    await page.locator('.modal-ux').getByRole('button', { name: 'Close', exact: true }).last().click();

    const { status, text } = await execute(page);
    expect(status).toBe('429');
    expect(text).toContain('www-authenticate: Bearer error="invalid_token"');
    expect(complaints).toEqual([expect.stringContaining('status of 429')]);
    expect(foreign).toEqual([]);
  });
});
