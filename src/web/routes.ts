import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { Router, type Request, type RequestHandler, type Response } from 'express';
import { version, type Config } from '../config/settings.js';
import { LANGUAGES, type Language } from '../errors/catalog.js';
import { methodNotAllowed } from '../http/error-handler.js';
import { MAX_FILE_BYTES } from '../license/clear-text.js';
import { textsIn, type TextKey } from './page/texts/texts.js';

/** What `vite build src/web` made. The path is the same from src, where tests run this module, and from dist. */
const BUILT = join(import.meta.dirname, '../../dist/web/static');

/** The Content-Security-Policy: nothing is loaded from or sent to another host, and no frame shows the page. */
const OWN_HOST_ONLY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** On the page of licenses no script can turn text into markup either. */
const PAGE_POLICY = [
  ...OWN_HOST_ONLY,
  "img-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

// The icons in Swagger UI's style sheet are data URLs.
const DOCS_POLICY = [...OWN_HOST_ONLY, "img-src 'self' data:"].join('; ');

/** Browsers may keep these files, because their names change with their content. */
const ASSET_OPTIONS = {
  index: false,
  redirect: false,
  setHeaders: (res: Response) => res.set('Cache-Control', 'public, max-age=31536000, immutable'),
};
/** Browsers ask for the icon again after a day. */
const ICON_OPTIONS = { root: BUILT, headers: { 'Cache-Control': 'public, max-age=86400' } };

type PageConfig = Pick<
  Config,
  'RATE_LIMIT_MAX' | 'RATE_LIMIT_WINDOW_SECONDS' | 'DECODE_TIMEOUT_MS' | 'JWT_SECRET'
>;

/** Serves the page where people drop license files and see what these say, and the API reference. */
export function webPages(config: PageConfig): Router {
  const sendPage = pageSender('index.html', {
    version,
    limit: config.RATE_LIMIT_MAX,
    windowSeconds: config.RATE_LIMIT_WINDOW_SECONDS,
    timeoutMs: config.DECODE_TIMEOUT_MS,
    maxFileBytes: MAX_FILE_BYTES,
    acceptsTokens: config.JWT_SECRET === undefined ? 'off' : 'on',
  });
  const router = Router();
  router.get('/', sendPage);
  router.all('/', methodNotAllowed('GET, HEAD'));

  const docs = readFileSync(join(BUILT, 'docs.html'), 'utf8');
  router.get('/docs', (req, res) => sendHtml(req, res, { html: docs, policy: DOCS_POLICY }));
  router.all('/docs', methodNotAllowed('GET, HEAD'));

  router.get('/icon.svg', (_req, res) => res.sendFile('icon.svg', ICON_OPTIONS));
  router.use('/assets', express.static(join(BUILT, 'assets'), ASSET_OPTIONS));
  return router;
}

/** Tells a person with a browser in words that there is no such page. Everyone else gets the JSON of the API. */
export function notFoundPage(): RequestHandler {
  const sendPage = pageSender('not-found.html');
  return (req, res, next) => {
    if (!isForPeople(req)) {
      next();
      return;
    }

    res.locals.failure = { code: 'not_found' };
    void sendPage(req, res.status(404), next);
  };
}

/** Whether a browser asks for a page, and not a program for something of the API. */
function isForPeople(req: Request): boolean {
  if (req.method !== 'GET') return false;

  const isOfApi = /^\/api(?:\/|$)/.test(req.path);
  if (isOfApi) return false;

  return req.accepts('json', 'html') === 'html';
}

type Values = Record<string, string | number>;

/**
 * Sends one of the built pages in the language of the request.
 * @param values take the place of `{{name}}`; every other name but `root` is that of a text
 */
function pageSender(name: string, values: Values = {}): RequestHandler {
  const template = readFileSync(join(BUILT, name), 'utf8');
  const pages = { en: fillIn(template, 'en', values), ru: fillIn(template, 'ru', values) };

  return (req, res) => {
    const language = languageOf(req);
    res.vary('Accept-Language');
    res.set('Content-Language', language);
    sendHtml(req, res, { html: pages[language], policy: PAGE_POLICY });
  };
}

/** @param page its text, where `{{root}}` stands for the way to the root of the service, and its Content-Security-Policy */
function sendHtml(req: Request, res: Response, { html, policy }: { html: string; policy: string }): void {
  res.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' });
  res.type('html').send(html.replaceAll('{{root}}', rootFrom(req.path)));
}

function fillIn(template: string, language: Language, values: Values): string {
  const textOf = textsIn(language);
  const allValues: Values = { ...values, language, root: '{{root}}' };
  return template.replace(/\{\{(\w+)\}\}/g, (_match, name: string) => {
    const value = allValues[name];
    return value === undefined ? textOf(name as TextKey) : String(value);
  });
}

/** The way from the address of a page to the root of the service: `./` from `/docs`, `../../` from `/a/b/c`. */
function rootFrom(path: string): string {
  const depth = path.split('/').length - 2;
  return depth === 0 ? './' : '../'.repeat(depth);
}

/** The language that the address asks for, else the one that the browser prefers. */
function languageOf(req: Request): Language {
  const asked = /[?&]lang=(\w+)(?:&|$)/.exec(req.url)?.[1];
  const preferred = req.acceptsLanguages(...LANGUAGES);
  const known = (name: unknown) => LANGUAGES.find((language) => language === name);
  return known(asked) ?? known(preferred) ?? LANGUAGES[0];
}
