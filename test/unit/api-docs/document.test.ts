import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../src/api-docs/document.js';
import { loadConfig } from '../../../src/config/settings.js';
import { catalogEntry, ERROR_CODES } from '../../../src/errors/catalog.js';

interface ErrorResponse {
  headers: object;
  content: { 'application/json': { examples: Record<string, { value: { message?: string } }> } };
}

const document = openApiDocument(loadConfig({ RATE_LIMIT_MAX: '7' })) as unknown as {
  info: { description: string };
  paths: { '/api/decode': { post: { responses: Record<string, ErrorResponse> } } };
};

describe('the OpenAPI document', () => {
  it.each(ERROR_CODES.filter((code) => code !== 'not_found'))('has an example of %s', (code) => {
    const { status, retryAfter } = catalogEntry(code);
    const response = document.paths['/api/decode'].post.responses[status];
    const message = response?.content['application/json'].examples[code]?.value.message ?? '';
    expect(message).toMatch(/^[^{}]+$/);
    if (retryAfter !== undefined) expect(response?.headers).toHaveProperty('Retry-After');
  });

  it('tells the limit that is set', () => expect(document.info.description).toMatch(/\b7\b/));
});
