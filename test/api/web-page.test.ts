import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { startTestService } from '../support/service.js';

const NOT_FOUND = { status: 404, body: { error: 'not_found' } };

const client = async (settings: Record<string, string> = {}) =>
  supertest((await startTestService(settings)).url);

describe('/', () => {
  it.each([
    ['/', 'ru-RU,ru;q=0.9,en;q=0.8', 'ru', 'Выбрать файлы лицензий'],
    ['/', 'en-US,ru;q=0.5', 'en', 'Choose license files'],
    ['/', 'de', 'en', 'Choose license files'],
    ['/?lang=ru', 'en', 'ru', 'Выбрать файлы лицензий'],
    ['/?lang=en', 'ru', 'en', 'Choose license files'],
    ['/?lang=xx', 'ru', 'ru', 'Выбрать файлы лицензий'],
  ])('%s with Accept-Language: %s is in %s', async (path, accepted, language, text) => {
    const response = await (await client()).get(path).set('Accept-Language', accepted).expect(200);
    expect(response.headers).toMatchObject({
      'content-language': language,
      vary: 'Accept-Language',
      'cache-control': 'no-cache',
      'content-type': 'text/html; charset=utf-8',
    });
    expect(response.text).toContain(`<html lang="${language}">`);
    expect(response.text).toMatch(new RegExp(`>${text}</label\\s*>`));
    expect(response.text).not.toMatch(/\{\{|undefined/);
  });

  it('has nothing inline, under a policy that allows this host alone and no markup from scripts', async () => {
    const { headers, text } = await (await client()).get('/');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers['set-cookie']).toBeUndefined();
    expect(text).not.toMatch(/<style|style=|\son\w+=|https?:|<script[^>]*>[^<]/);
  });

  it('says how many files are free, in both languages', async () => {
    const { text } = await (await client({ RATE_LIMIT_MAX: '7' })).get('/');
    expect(text).toContain('data-en="Files without a token: 7 per hour"');
    expect(text).toContain('data-ru="Без токена доступно файлов: 7 в час"');
  });

  it('loads its files under a URL with their version, which may be kept', async () => {
    const service = await client();
    const { text } = await service.get('/');
    const [, path = ''] = /href="([^"]+style\.css)"/.exec(text) ?? [];
    const { headers } = await service.get(path).expect(200);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    for (const other of [
      path.replace(/assets\/\w+/, 'assets/0000'),
      path.replace('style.css', 'index.html'),
      path.replace('web/static/style.css', 'server.js'),
      path.replace('web/static/style.css', 'web/page.js'),
      path.replace('style.css', '..%2f..%2fserver.js'),
    ]) {
      expect(await service.get(other)).toMatchObject(NOT_FOUND);
    }
  });

  it('answers 405 to POST', async () => {
    const response = await (await client()).post('/');
    expect(response).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });
});

it('WEB_UI=off leaves the API and its document, and no page', async () => {
  const service = await client({ WEB_UI: 'off' });
  for (const path of ['/', '/docs']) expect(await service.get(path)).toMatchObject(NOT_FOUND);
  const { text } = await service.get('/api/docs').expect(200);
  expect(text).not.toContain('"/docs"');
  await service.get('/healthz').expect(200);
});
