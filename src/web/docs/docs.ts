import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';

const dark = matchMedia('(prefers-color-scheme: dark)');
const applyColors = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyColors);
applyColors();

/** The root of the service, which a proxy may have put below a path. This script lies in the directory of assets. */
const script = import.meta.url;
const root = location.origin + new URL('..', script).pathname;

SwaggerUI({
  url: `${root}api/docs`,
  dom_id: '#api',
  deepLinking: true,
  tryItOutEnabled: true,
  // The schemas' names alone would fill a screen.
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // No badge: it would send the document to a validator on another host.
  validatorUrl: null,
});
