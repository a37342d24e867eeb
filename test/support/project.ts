import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');
export const DIST = join(ROOT, 'dist');
/** A stand-in for ring, and the licenses that it decodes. */
export const DEMO_RING = join(ROOT, 'scripts/demo-ring/ring');
export const SAMPLES = join(ROOT, 'scripts/demo-ring/samples');
export const SAMPLE = join(SAMPLES, '20240115120000.lic');

/** The text of a file of the project. */
export const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
