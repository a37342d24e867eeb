import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from '../dist/config.js';
import { MAX_FILE_BYTES } from '../dist/middleware/upload.js';
import { openApiDocument } from '../dist/openapi/document.js';
import { postmanCollection } from './postman/collection.mjs';

/*
 * Writes the Postman collection of the service as built in dist/ with its default settings:
 * `npm run postman [-- FILE]`.
 */

const FILE = join(import.meta.dirname, '../docs/decode.postman_collection.json');

const config = loadConfig({});
const collection = postmanCollection(openApiDocument(config), {
  requests: config.RATE_LIMIT_MAX,
  bytes: MAX_FILE_BYTES,
});
await writeFile(process.argv[2] ?? FILE, `${JSON.stringify(collection, null, 2)}\n`);
