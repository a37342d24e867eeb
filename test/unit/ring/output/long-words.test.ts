import { expect, it } from 'vitest';
import { structureLicense } from '../../../../src/license/structured-license.js';
import {
  failureOf,
  outputOf,
  readInfoText,
  readList,
  readValidation,
} from '../../../../src/ring/commands.js';
import { parseJavaVersion, parseRingVersion } from '../../../../src/ring/installation/versions.js';
import { versionsOffered } from '../../../../src/ring/output/launcher-error.js';

const BYTES = 65_536;
/** Milliseconds of CPU: a hundred times what it takes, while the square of the length takes seconds. */
const MAX_MS = 1000;
const PIN = '332588056123456';

/** Everything that reads ring's output. */
function readAll(stdout: string): void {
  for (const exitCode of [0, 1]) {
    const output = outputOf({ exitCode, stdout, stderr: stdout });
    failureOf(output);
    readList(output);
    readInfoText(output);
    readValidation(output, PIN);
    readValidation({ ...output, text: `License check failed.\n${output.text}` }, PIN);
  }
  parseJavaVersion(stdout);
  parseRingVersion(stdout);
  versionsOffered(stdout);
  const hardware = { license: stdout, current: '' };
  const license = { pin: PIN, registrationNumber: '1', previousPin: null };
  structureLicense({ ...license, info: stdout, valid: null, file: Buffer.from(stdout), hardware });
}

/** How each expression begins, and what it may run over. */
const BEGINNINGS = (
  '\n|[ERROR ] a\n|ключевы|лицензи|Проверка лицензии|Проверка лицензии |key |key a |keys|не |error |no |license |License check|License check |' +
  'По причине: |"|«|("|(| |a|a.|_1|1|1.|[ERROR ] |[ERROR ] module |[DEBUG ] a.B - |module |модул|version|версии: |' +
  'versions: 1.0 |Error: |Exception in thread "main" |java.lang.| at |Caused by: |VM warning: |a : |a: |' +
  `${PIN}-1 |${PIN}-|a-|: a-1 ("|на |awk: |12:|01.02.2024 |pin : |previous pin : |Customer info :\n|-`
).split('|');

it.each(BEGINNINGS)('64 KB of %j take no time to read', (beginning) => {
  readAll(beginning.repeat(10));
  const text = beginning.repeat(BYTES / beginning.length);
  const before = process.cpuUsage();
  readAll(text);
  const { user } = process.cpuUsage(before);
  expect(user / 1000).toBeLessThan(MAX_MS);
});
