import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { expectDocumented } from '../support/contract.js';
import { processesIn } from '../support/processes.js';
import { decodeHead, FORM, LICENSE_PART, multipart, openConnection } from '../support/raw-http.js';
import { upload } from '../support/service.js';
import { spawnService } from '../support/spawned-service.js';
import { filesIn, tempDirectory } from '../support/temp.js';
import { until } from '../support/until.js';

const entriesOf = (directory: string) => readdirSync(directory).map((name) => join(directory, name));

describe('a full file system', { tags: 'mount' }, () => {
  async function serviceOnSmallDisk(variable: string) {
    const disk = await tempDirectory();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk]);
    onTestFinished(() => void execFileSync('umount', ['-l', disk]));
    return {
      disk,
      service: await spawnService({ [variable]: join(disk, 'ours') }),
    };
  }

  it.each(['UPLOAD_DIR', 'TMP_BASE'])('of %s answers 503 until it has room again', async (variable) => {
    const { disk, service } = await serviceOnSmallDisk(variable);
    await upload(service).expect(200);
    const ballast = join(disk, 'ballast');
    spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k'], { stdio: 'ignore' });
    const response = await upload(service, Buffer.alloc(500_000, 'a'));
    expectDocumented(response);
    expect(response).toMatchObject({ status: 503, body: { error: 'storage_unavailable' } });
    expect(JSON.stringify(response.body)).not.toContain('/');
    expect(filesIn(service)).toEqual([]);
    rmSync(ballast);
    await upload(service).expect(200);
  });

  it('keeps nothing of small files on a full disk, however many come', async () => {
    const { disk, service } = await serviceOnSmallDisk('UPLOAD_DIR');
    spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'ballast')}`, 'bs=4k'], { stdio: 'ignore' });
    for (let i = 0; i < 20; i++) await upload(service, Buffer.alloc(9_000, 'a')).expect(503);
    expect(filesIn(service)).toEqual([]);
  });

  it('keeps nothing of a file that does not fit', async () => {
    const { service } = await serviceOnSmallDisk('UPLOAD_DIR');
    for (let i = 0; i < 3; i++) await upload(service, Buffer.alloc(4_000_000, 'a')).expect(503);
    await upload(service, Buffer.alloc(1_000_000, 'a')).expect(200);
    expect(filesIn(service)).toEqual([]);
  });
});

it.each(['UPLOAD_DIR', 'TMP_BASE'])('%s is made again when it is removed while running', async (variable) => {
  const base = join(await tempDirectory(), 'base');
  const service = await spawnService({ [variable]: base });
  await upload(service).expect(200);
  rmSync(base, { recursive: true });
  await upload(service).expect(200);
  expect(filesIn(service)).toEqual([]);
});

it('too many open files are 503 or no connection, and over when the load is', async () => {
  const service = await spawnService(
    { RING_CMD: { list: 'sleep 0.2; echo 332588056123456-1' }, RING_CONCURRENCY: '8' },
    { before: 'ulimit -n 45' },
  );
  const answers = await Promise.allSettled(
    Array.from({ length: 60 }, () => upload(service, Buffer.alloc(200_000, 'a'))),
  );
  const statuses = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : 'refused'));
  expect(statuses.filter((status) => status !== 200)).not.toEqual([]);
  expect([200, 503, 'refused']).toEqual(expect.arrayContaining(statuses));
  await until(() => filesIn(service).length === 0);
  const decodes = () =>
    upload(service).then(
      ({ status }) => status === 200,
      () => false,
    );
  await until(decodes);
});

it('after kill -9 files stay until they are too old for a request; a live replica and strangers keep theirs', async () => {
  const base = await tempDirectory();
  const replica = {
    RING_CMD: { list: 'sleep 300 & wait' },
    UPLOAD_DIR: join(base, 'uploads'),
    TMP_BASE: join(base, 'work'),
  };
  const files = () => [replica.UPLOAD_DIR, replica.TMP_BASE].flatMap(entriesOf);
  const victim = await spawnService(replica);
  openConnection(victim.port, decodeHead([FORM, 'Content-Length: 5000']), multipart([LICENSE_PART], ''));
  upload(victim).end(() => undefined);
  await until(() => processesIn(base).length > 0 && files().length >= 2);
  victim.process.kill('SIGKILL');
  await victim.exited;
  const dead = files();
  const stranger = join(replica.UPLOAD_DIR, 'upload-20240115-report.pdf');
  writeFileSync(stranger, '');

  const live = await spawnService(replica);
  upload(live).end(() => undefined);
  const ofLive = () => files().filter((path) => path.includes('/decode-') && !dead.includes(path));
  await until(() => ofLive().length > 0);
  const living = ofLive();
  expect(files()).toEqual(expect.arrayContaining(dead));
  const anHourAgo = Date.now() / 1000 - 3600;
  for (const path of [...dead, stranger]) utimesSync(path, anHourAgo, anHourAgo);
  await spawnService(replica);
  expect(dead.filter((path) => existsSync(path))).toEqual([]);
  for (const path of [...living, stranger]) expect(existsSync(path), path).toBe(true);
});
