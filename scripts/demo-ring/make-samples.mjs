import { readFile, writeFile } from 'node:fs/promises';

/*
 * Writes the demo's license files from samples.json, in which all persons and companies are made up. To add
 * a sample, describe it there and run: node scripts/demo-ring/make-samples.mjs
 */

/** Columns of a Base64 line (RFC 2045, section 6.8). */
const LINE = /.{1,76}/g;

const samples = JSON.parse(await readFile(new URL('samples.json', import.meta.url), 'utf8'));
for (const { file, copies = [], permit, clearText } of samples) {
  const base64 = Buffer.from(JSON.stringify(permit)).toString('base64').match(LINE);
  const text = [...base64, ...clearText, ''].join('\n');
  for (const name of [file, ...copies]) await writeFile(new URL(`samples/${name}`, import.meta.url), text);
  console.log(`samples/${file}: ${permit.pin}-${permit.product.registrationNumber}`);
}
