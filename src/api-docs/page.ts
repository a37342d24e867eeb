import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Router } from 'express';
import { methodNotAllowed } from '../http/error-handler.js';
import { pagePolicy, versionedFiles } from '../http/page-files.js';

const packageFile = 'swagger-ui-dist/package.json';
const require = createRequire(import.meta.url);
const { version } = require(packageFile) as { version: string };

/** What the page needs of the package, which also holds source maps and other builds. */
const PACKAGE_FILES = ['/swagger-ui.css', '/swagger-ui-bundle.js'];

// The icons in the style sheet are data URLs.
const CONTENT_SECURITY_POLICY = pagePolicy("'self' data:");

const HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>License decoder: API reference</title>
    <link rel="icon" href="/icon.svg">
    <link rel="stylesheet" href="/docs/${version}/swagger-ui.css">
    <link rel="stylesheet" href="/docs/style.css">
    <script defer src="/docs/${version}/swagger-ui-bundle.js"></script>
    <script defer src="/docs/start.js"></script>
  </head>
  <body>
    <noscript>This page needs JavaScript. Without it: <a href="/api/docs">the OpenAPI document</a>.</noscript>
    <nav><a href="/">Decode files in the browser</a></nav>
    <div id="api"></div>
  </body>
</html>
`;

/** The package leaves the headers of an answer dark in dark mode. */
const STYLE = `nav {
  max-width: 1460px;
  margin: 0 auto;
  padding: 16px 20px 0;
  font: 14px sans-serif;
}
html.dark-mode .swagger-ui table.headers td {
  color: #e4e6e6;
}
`;

/** A file of its own, because the policy allows no inline script. */
const START_SCRIPT = `const dark = matchMedia('(prefers-color-scheme: dark)');
const applyColors = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyColors);
applyColors();
SwaggerUIBundle({
  url: '/api/docs',
  dom_id: '#api',
  deepLinking: true,
  tryItOutEnabled: true,
  // The schemas' names alone would fill a screen.
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // No badge: it would send the document to a validator on another host.
  validatorUrl: null,
});
`;

/** Serves the API reference as a page, where a file can be tried. */
export function docsPage(): Router {
  const router = Router();
  router.use((_req, res, next) => {
    res.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    next();
  });
  const serve = (path: string, type: string, body: string) => {
    router.get(path, (_req, res) => res.type(type).set('Cache-Control', 'no-cache').send(body));
    router.all(path, methodNotAllowed('GET, HEAD'));
  };
  serve('/', 'html', HTML);
  serve('/style.css', 'css', STYLE);
  serve('/start.js', 'js', START_SCRIPT);
  router.use(`/${version}`, ...versionedFiles(dirname(require.resolve(packageFile)), PACKAGE_FILES));
  return router;
}
