import { expect, it } from 'vitest';
import { interpretWithService, runnableSnippets } from '../support/snippets.js';

it.each(runnableSnippets('writes no .env'))('$title', async (snippet) => {
  expect(await interpretWithService(snippet)).toMatch(/481-207-935-660-142|names the license/);
});
