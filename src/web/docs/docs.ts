import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';

const dark = matchMedia('(prefers-color-scheme: dark)');
const applyColors = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyColors);
applyColors();

SwaggerUI({
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
