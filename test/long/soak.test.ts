import { expect, it } from 'vitest';
import { spawnService, type SpawnedService } from '../support/spawned-service.js';
import { expectNothingLeft } from '../support/temp.js';
import { until } from '../support/until.js';

const DECODES = Number(process.env['SOAK_DECODES'] ?? 300);
/** Until V8 has let the heap grow to what it needs. */
const FIRST_DECODES = 300;
const CLIENTS = 16;
/** Share of requests that the client aborts. A decode takes tens of milliseconds here, so this hits every stage. */
const ABORTS = 0.2;
const LATEST_ABORT_MS = 150;

/** @returns `decoded`, `aborted`, or what went wrong */
async function decode(url: string): Promise<string> {
  const body = new FormData();
  body.set('license', new Blob([Buffer.alloc(4000, 'bGljZW5zZQ==')]), 'a.lic');
  body.set('detailed', String(Math.random() < 0.5));
  const ms = Math.ceil(Math.random() * LATEST_ABORT_MS);
  const signal = Math.random() < ABORTS ? AbortSignal.timeout(ms) : null;
  const headers = { Connection: 'close' };
  try {
    const response = await fetch(`${url}/api/decode`, { method: 'POST', headers, body, signal });
    const text = await response.text();
    return response.ok ? 'decoded' : text;
  } catch (error) {
    return signal?.aborted ? 'aborted' : String((error as Error).cause);
  }
}

/** Lets all clients decode, each one license after the other, and waits until nothing is left. @returns the outcomes */
async function soak(service: SpawnedService, decodes: number): Promise<Set<string>> {
  const outcomes = new Set<string>();
  let left = decodes;
  const client = async () => {
    while (left-- > 0) outcomes.add(await decode(service.url));
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  await expectNothingLeft(service);
  return outcomes;
}

it(
  `${DECODES} more decodes, some of them aborted, take no more memory and leave nothing open`,
  { timeout: 240_000 + DECODES * 500 },
  async () => {
    const service = await spawnService();
    const openFiles = service.openFiles();
    await soak(service, FIRST_DECODES);
    const memory = service.peakMemory();
    expect(await soak(service, DECODES)).toEqual(new Set(['decoded', 'aborted']));
    expect(service.peakMemory()).toBeLessThan(memory + 40e6);
    await until(() => service.openFiles() <= openFiles);
    service.process.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    expect(service.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  },
);
