import { expect, it } from 'vitest';
import { interpretWithService, runnableSnippets } from '../support/snippets.js';

it.each(runnableSnippets())('$title', async (snippet) => {
  expect(await interpretWithService(snippet)).toMatch(/481-207-935-660-142/);
});
