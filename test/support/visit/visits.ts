import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { fleet } from '../../../scripts/bench/fleet.mjs';
import type { Language } from '../../../src/errors/catalog.js';
import { Visit, type VisitFile } from './visit.js';

/** Where the texts of the visits are. */
const TEXTS = join(import.meta.dirname, '../../browser/visits');

/** The files that visitors have. */
export const FILES: VisitFile[] = fleet(12, 2026).map(({ name, text }) => ({ name, text }));
export const [FIRST, SECOND, THIRD] = FILES as [VisitFile, VisitFile, VisitFile];
export const DAMAGED: VisitFile = { name: 'damaged.lic', text: 'bGljZW5zZQ==\n' };

/** What a visit needs. */
interface VisitTools {
  language: Language;
  /** Begins a visit with the page. */
  openPage: () => Promise<Visit>;
  /** Compares what the visitor read with the text in the repository. CONTRIBUTING.md says how to write that anew. */
  compare: (visit: Visit, name: string) => Promise<void>;
}

/** Tests of visits in both languages. They are in several files, because those run side by side. */
export function describeVisits(define: (tools: VisitTools) => void): void {
  describe.each(['ru', 'en'] as const)('in %s a visit', { tags: 'chromium' }, (language) => {
    const openPage = async () => {
      const visit = await Visit.start(language);
      await visit.step('The page is opened', () => visit.open());
      return visit;
    };
    const compare = async (visit: Visit, name: string) => {
      const path = join(TEXTS, `${name}.${language}.txt`);
      await expect(visit.lines.join('\n')).toMatchFileSnapshot(path);
    };
    define({ language, openPage, compare });
  });
}
