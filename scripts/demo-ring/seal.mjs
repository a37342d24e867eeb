import { readFile, writeFile } from 'node:fs/promises';
import { sealPermit } from './permit.mjs';

/*
 * Makes the demo's licence files in samples/ from samples.json. All persons and companies in it are made
 * up. To add a sample, describe it there and run: node scripts/demo-ring/seal.mjs
 */

const samples = JSON.parse(await readFile(new URL('samples.json', import.meta.url), 'utf8'));
for (const { file, permit, clearText } of samples) {
  await writeFile(new URL(`samples/${file}`, import.meta.url), sealPermit(permit, clearText));
  console.log(`samples/${file}: ${permit.pin}-${permit.product.registrationNumber}`);
}
