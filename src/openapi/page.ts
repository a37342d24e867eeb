import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Router } from 'express';
import { methodNotAllowed } from '../middleware/error-handler.js';

const require = createRequire(import.meta.url);
const { version } = require('swagger-ui-dist/package.json') as { version: string };

/** What the page needs of the package, which also brings source maps and other builds of the same. */
const PACKAGE_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/**
 * The page can load nothing from another host and send nothing there, and no frame may hold it. It takes the
 * place of helmet's policy, which allows inline styles, and which turns http into https even where the service
 * is reached without TLS.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The icons in the style sheet are data URLs.
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The package's URLs change with its version. */
const CACHED_FOR_EVER = 'public, max-age=31536000, immutable';
const CACHED_IF_UNCHANGED = 'no-cache';

const HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>License decoder</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png?v=${version}">
    <link rel="stylesheet" href="/docs/swagger-ui.css?v=${version}">
    <script defer src="/docs/swagger-ui-bundle.js?v=${version}"></script>
    <script defer src="/docs/start.js"></script>
  </head>
  <body>
    <noscript>This page needs JavaScript. Without it: <a href="/api/docs">the OpenAPI document</a>.</noscript>
    <div id="api"></div>
  </body>
</html>
`;

/** A file of its own, for the policy allows no inline script. */
const START_SCRIPT = `SwaggerUIBundle({
  url: '/api/docs',
  dom_id: '#api',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // No badge: it would send the document to an outside validator.
  validatorUrl: null,
});
`;

/** Serves the API reference as a page, on which a file can be tried, and the files that it is made of. */
export function docsPage(): Router {
  const router = Router();
  const serve = (path: string, type: string, body: string | Buffer, caching: string) => {
    router.get(path, (_req, res) => {
      res.set({ 'Content-Security-Policy': CONTENT_SECURITY_POLICY, 'Cache-Control': caching });
      res.type(type).send(body);
    });
    router.all(path, methodNotAllowed('GET, HEAD'));
  };
  serve('/', 'html', HTML, CACHED_IF_UNCHANGED);
  serve('/start.js', 'js', START_SCRIPT, CACHED_IF_UNCHANGED);
  for (const name of PACKAGE_FILES) {
    // 2 MB in all. Read once, no request can fail for want of a file or a file descriptor.
    const body = readFileSync(require.resolve(`swagger-ui-dist/${name}`));
    serve(`/${name}`, name, body, CACHED_FOR_EVER);
  }
  return router;
}
