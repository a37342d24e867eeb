import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Router } from 'express';
import type { Config } from '../config/settings.js';
import { LANGUAGES, type Language } from '../errors/catalog.js';
import { methodNotAllowed } from '../http/error-handler.js';
import { pagePolicy, versionedFiles } from '../http/page-files.js';
import { windowText } from '../rate-limit/anonymous-rate-limit.js';

/** Source tree, or what the build made of it. The URLs mirror it, so that the modules' imports work in the browser. */
const ROOT = dirname(import.meta.dirname);

/** No script can turn text into markup. */
const CONTENT_SECURITY_POLICY = pagePolicy(
  "'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
);

/** Paths below {@link ROOT} that the page loads. Before a build there are no scripts. */
function assetPaths(): string[] {
  const ofPage = ['/web/browser', '/web/static'].flatMap((directory) =>
    readdirSync(join(ROOT, directory)).map((name) => `${directory}/${name}`),
  );
  return [...ofPage, '/errors/token-problems.js'].filter(
    (path) => /\.(?:js|css|svg)$/.test(path) && existsSync(join(ROOT, path)),
  );
}

/** Serves the page for people, where they drop license files and see what these say. */
export function webPage(config: Pick<Config, 'RATE_LIMIT_MAX' | 'RATE_LIMIT_WINDOW_SECONDS'>): Router {
  const assets = assetPaths();
  const hash = createHash('sha256');
  for (const path of assets) hash.update(readFileSync(join(ROOT, path)));
  const base = `/assets/${hash.digest('hex').slice(0, 16)}`;

  const window = windowText(config.RATE_LIMIT_WINDOW_SECONDS);
  const template = readFileSync(join(ROOT, 'web/static/index.html'), 'utf8').replace(/\s+/g, ' ');
  const render = (language: Language) => {
    const values: Record<string, string | number> = {
      language,
      other: language === 'ru' ? 'en' : 'ru',
      assets: base,
      limit: config.RATE_LIMIT_MAX,
      'window-en': window.en,
      'window-ru': window.ru,
    };
    const html = template.replace(/\{\{([\w-]+)\}\}/g, (_match, name: string) => String(values[name]));
    // Each empty element has its text in both languages as attributes.
    const texts = /data-en="([^"]*)"\s+data-ru="([^"]*)"\s*>/g;
    return html.replace(texts, language === 'en' ? '$&$1' : '$&$2');
  };
  const pages = { en: render('en'), ru: render('ru') };

  const router = Router();
  router.get('/', (req, res) => {
    const chosen = /[?&]lang=(en|ru)(?:&|$)/.exec(req.url)?.[1] ?? req.acceptsLanguages(...LANGUAGES);
    const language = chosen === 'ru' ? 'ru' : 'en';
    res.vary('Accept-Language');
    res.set({
      'Content-Language': language,
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Cache-Control': 'no-cache',
    });
    res.type('html').send(pages[language]);
  });
  router.all('/', methodNotAllowed('GET, HEAD'));
  router.use(base, ...versionedFiles(ROOT, assets));
  return router;
}
