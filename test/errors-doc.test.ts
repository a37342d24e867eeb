import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { ERROR_CODES, exampleOf } from '../src/errors.js';

const read = (path: string) => readFileSync(resolve(import.meta.dirname, '..', path), 'utf8');
const PAGE = read('docs/errors.md');
const NGINX = read('docs/deploy/nginx.conf');

/** Codes that nginx alone answers with. */
const OF_NGINX = { service_unreachable: 502 };

it('docs/errors.md has one heading for each code, of the service and of nginx, in that order', () => {
  const headings = [...PAGE.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual([...ERROR_CODES, ...Object.keys(OF_NGINX)]);
});

it.each([
  ...ERROR_CODES.map((code): [string, number] => [code, exampleOf(code).status]),
  ...Object.entries(OF_NGINX),
])('docs/errors.md says of %s that its status is %i', (code, status) => {
  expect(PAGE).toContain(`\n## ${code}\n\nStatus ${status}. `);
});

it('docs/errors.md knows every error that nginx answers itself', () => {
  const answers = [...NGINX.matchAll(/return (\d+) '\{"error":"(\w+)"/g)];
  expect(answers.length).toBeGreaterThan(0);
  for (const [, status, code] of answers)
    expect(PAGE).toContain(`\n## ${code ?? ''}\n\nStatus ${status ?? ''}. `);
});
