import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fleet } from '../../../scripts/bench/fleet.mjs';
import type { Language } from '../../../src/errors/catalog.js';
import { Visit, type VisitFile } from './visit.js';

/** Where the texts of the visits are. */
const TEXTS = join(import.meta.dirname, '../../browser/visits');

/** The files that visitors have. */
export const FILES: VisitFile[] = fleet(12, 2026).map(({ name, text }) => ({ name, text }));
export const DAMAGED: VisitFile = { name: 'damaged.lic', text: `${'QUJD'.repeat(16)}\n` };

/** What happens in a visit, in order. Each key says what the person does or what happens. */
type Steps = Record<string, (visit: Visit) => Promise<unknown>>;

/**
 * Tests a visit: compares what the visitor read with the text in the repository. CONTRIBUTING.md says how to write that
 * anew. The visits are in several files, because those run side by side.
 * @param languages English only where test/unit/web/texts/shown.test.ts needs the visit, because each takes seconds
 */
export function testVisit(name: string, languages: readonly Language[], steps: Steps): void {
  it.each(languages)(`a visit in %s: ${name}`, { tags: 'chromium' }, async (language) => {
    const visit = await Visit.start(language);
    await visit.step('The page is opened', () => visit.open());
    for (const [what, action] of Object.entries(steps)) await visit.step(what, () => action(visit));

    const path = join(TEXTS, `${name.replaceAll(' ', '-')}.${language}.txt`);
    await expect(visit.lines.join('\n')).toMatchFileSnapshot(path);
  });
}
