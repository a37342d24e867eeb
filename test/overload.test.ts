import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectDocumented } from './support/contract.js';
import { fakeRing, print, transcriptPath } from './support/fake-ring.js';
import { eventually, startTestService, upload } from './support/service.js';
import { tempDirectory } from './support/temp.js';

/** A ring whose runs take a while and write down when they begin and end. */
async function slowRing(seconds: number): Promise<{ command: string; events: () => Promise<string[]> }> {
  const journal = join(await tempDirectory(), 'journal');
  const step = (name: string, transcript: string, exitCode = 0) =>
    `echo 'begin ${name}' >>'${journal}'; sleep ${seconds}; echo 'end ${name}' >>'${journal}'; cat '${transcriptPath(transcript)}'; exit ${exitCode}`;
  const command = await fakeRing({
    list: step('list', 'list-one-ru.txt'),
    info: step('info', 'info-one-ru.txt'),
    validate: step('validate', 'validate-mismatch-ru.txt', 1),
  });
  return { command, events: async () => (await readFile(journal, 'utf8')).trim().split('\n') };
}

describe('overload', () => {
  it.each([1, 2, 3])('never runs more than RING_CONCURRENCY=%i processes', async (concurrency) => {
    const ring = await slowRing(0.05);
    const service = await startTestService({ RING_CMD: ring.command, RING_CONCURRENCY: String(concurrency) });
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload(service)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    let running = 0;
    let most = 0;
    for (const event of await ring.events()) {
      running += event.startsWith('begin') ? 1 : -1;
      most = Math.max(most, running);
    }
    expect(running).toBe(0);
    expect(most).toBe(concurrency);
  });

  it('finishes decodes already begun before it begins new ones', async () => {
    const ring = await slowRing(0.05);
    const service = await startTestService({ RING_CMD: ring.command, RING_CONCURRENCY: '1' });
    await Promise.all(Array.from({ length: 4 }, () => upload(service).expect(200)));
    const begun = (await ring.events())
      .filter((event) => event.startsWith('begin'))
      .map((event) => event.slice(6));
    for (let i = 0; i < begun.length; i += 3) {
      expect(begun[i]).toBe('list');
      expect(begun.slice(i + 1, i + 3).sort()).toEqual(['info', 'validate']);
    }
  });

  it('answers 503 with Retry-After at once when RING_QUEUE_LIMIT decodes wait', async () => {
    const ring = await slowRing(0.3);
    const service = await startTestService({
      RING_CMD: ring.command,
      RING_CONCURRENCY: '1',
      RING_QUEUE_LIMIT: '3',
    });
    const answers = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const begin = Date.now();
        const response = await upload(service);
        return { response, tookMs: Date.now() - begin };
      }),
    );
    const refused = answers.filter(({ response }) => response.status === 503);
    expect(answers.filter(({ response }) => response.status === 200)).toHaveLength(1 + 3);
    expect(refused).toHaveLength(8);
    for (const { response, tookMs } of refused) {
      expectDocumented(response);
      expect(response.body).toMatchObject({ error: 'queue_full' });
      expect(response.headers['retry-after']).toBe('5');
      expect(tookMs).toBeLessThan(300);
    }
    expect(service.files()).toEqual([]);
  });

  it('forgets a decode whose client goes away while it waits', async () => {
    const ring = await slowRing(0.4);
    const service = await startTestService({ RING_CMD: ring.command, RING_CONCURRENCY: '1' });
    const first = upload(service).then(({ status }) => status);
    await eventually(async () => (await ring.events().catch(() => [])).length > 0);
    const waiting = upload(service);
    waiting.end(() => undefined);
    await eventually(() => service.files().filter((file) => file.endsWith('license.lic')).length === 2);
    waiting.abort();
    expect(
      await eventually(
        () => service.files().filter((file) => file.endsWith('license.lic')).length === 1,
        300,
      ),
    ).toBe(true);
    expect(await first).toBe(200);
    expect((await ring.events()).filter((event) => event === 'begin list')).toHaveLength(1);
    expect(service.files()).toEqual([]);
  });

  it('answers 504 when waiting and runs take longer than DECODE_TIMEOUT_MS together', async () => {
    const ring = await slowRing(0.7);
    const service = await startTestService({
      RING_CMD: ring.command,
      RING_CONCURRENCY: '1',
      RING_TIMEOUT_MS: '1500',
      DECODE_TIMEOUT_MS: '3000',
    });
    const answers = await Promise.all(Array.from({ length: 4 }, () => upload(service)));
    const late = answers.filter(({ status }) => status === 504);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(late).toHaveLength(3);
    for (const response of late) {
      expectDocumented(response);
      expect(response.body).toMatchObject({ error: 'decode_timeout' });
    }
    expect(service.files()).toEqual([]);
  });

  it('works when one decode after the other fails', async () => {
    const service = await startTestService({
      RING_CMD: await fakeRing({ list: print('list-empty.txt') }),
      RING_CONCURRENCY: '1',
    });
    for (let i = 0; i < 20; i++) await upload(service).expect(422);
  });
});
