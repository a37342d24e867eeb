import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { expectError } from '../support/contract.js';
import { openConnection, responsesOn, unfinishedUpload } from '../support/raw-http.js';
import { getStatus, startTestService, upload } from '../support/service.js';
import { filesIn, tempDirectory } from '../support/temp.js';
import { until } from '../support/until.js';

it.each(['UPLOAD_DIR', 'TMP_BASE'])('%s is made again when it is removed while running', async (variable) => {
  const base = join(await tempDirectory(), 'base');
  const service = await startTestService({ [variable]: base });
  await upload(service).expect(200);
  rmSync(base, { recursive: true });
  await upload(service).expect(200);
  expect(filesIn(service)).toEqual([]);
});

it.each(['UPLOAD_DIR', 'TMP_BASE'] as const)(
  '%s is not used while a file is in its place or above it',
  async (variable) => {
    const parent = join(await tempDirectory(), 'parent');
    const base = join(parent, 'base');
    const service = await startTestService({ [variable]: base });
    // The first poll would make the directory again.
    await upload(service).expect(200);
    for (const [path, code] of [
      [base, 'EEXIST'],
      [parent, 'ENOTDIR'],
    ] as const) {
      rmSync(path, { recursive: true });
      writeFileSync(path, '');
      const response = await upload(service);
      expectError(response, 'storage_unavailable');
      expect(service.requests().at(-1)).toMatchObject({ detail: code });
    }
    rmSync(parent);
    await upload(service).expect(200);
  },
);

/** A service in the place of whose directory for uploads there is a file, since its first poll. */
async function serviceThatCannotStore() {
  const base = join(await tempDirectory(), 'base');
  const service = await startTestService({ UPLOAD_DIR: base });
  await upload(service).expect(200);
  rmSync(base, { recursive: true });
  writeFileSync(base, '');
  return { service, base };
}

it('a decode that cannot store its file is answered before its body has arrived', async () => {
  const { service } = await serviceThatCannotStore();
  const socket = openConnection(service.port, unfinishedUpload());
  const responses = responsesOn(socket);
  await until(() => responses().length > 0);
  expect(responses()).toMatchObject([{ status: 503 }]);
});

it('a decode that cannot store its file asks for a poll', async () => {
  const { service, base } = await serviceThatCannotStore();
  await upload(service).expect(503);
  const problem = `${base}: EEXIST`;
  await expect.poll(() => service.log).toContainEqual(expect.objectContaining({ storage: { problem } }));
});

it(
  'a directory that takes no file makes the service not ready, and the log says why',
  { tags: 'root' },
  async () => {
    const service = await startTestService({ UPLOAD_DIR: '/proc' });
    await getStatus(service).expect(503);
    const problem = '/proc: ENOENT';
    expect(service.log).toContainEqual(expect.objectContaining({ level: 40, storage: { problem } }));
  },
);
