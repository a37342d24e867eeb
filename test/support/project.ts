import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');
export const DIST = join(ROOT, 'dist');
/** A stand-in for ring, one for Java, and the licenses that the first decodes. */
export const DEMO_RING = join(ROOT, 'scripts/demo-ring/ring');
export const DEMO_JRE = join(ROOT, 'scripts/demo-ring/jre');
export const SAMPLES = join(ROOT, 'scripts/demo-ring/samples');
export const SAMPLE = join(SAMPLES, '20240115120000.lic');

/** The text of a file of the project. */
export const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
