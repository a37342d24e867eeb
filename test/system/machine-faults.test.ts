import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { openTemporaryStorage } from '../../src/storage/temporary-storage.js';
import { expectError } from '../support/contract.js';
import { processesIn } from '../support/processes.js';
import {
  decodeRequest,
  GET_HEALTH,
  fillLog,
  openConnection,
  responsesOn,
  unfinishedUpload,
} from '../support/raw-http.js';
import { startTestService, upload } from '../support/service.js';
import { AS_ORDINARY_USER, spawnService } from '../support/spawned-service.js';
import { expectNothingLeft, filesIn, tempDirectory } from '../support/temp.js';
import { until } from '../support/until.js';

const entriesOf = (directory: string) => readdirSync(directory).map((name) => join(directory, name));

/** A file system of 2 MB. @returns its mount point */
async function smallDisk(): Promise<string> {
  const disk = await tempDirectory();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk]);
  onTestFinished(() => void execFileSync('umount', ['-l', disk]));
  return disk;
}

const fill = (path: string, block: string) =>
  spawnSync('dd', ['if=/dev/zero', `of=${path}`, `bs=${block}`], { stdio: 'ignore' });

it.each(['UPLOAD_DIR', 'TMP_BASE'] as const)(
  'a full file system of %s answers 503 until it has room again, and keeps nothing',
  { tags: 'mount' },
  async (variable) => {
    const disk = await smallDisk();
    const service = await startTestService({ [variable]: join(disk, 'ours') });
    const ballast = join(disk, 'ballast');
    for (const [block, ...sizes] of [
      ['64k', 500_000],
      ['4k', ...Array<number>(20).fill(9_000)],
    ] as const) {
      await upload(service).expect(200);
      fill(ballast, block);
      for (const size of sizes) {
        const response = await upload(service, Buffer.alloc(size, 'a'));
        expectError(response, 'storage_unavailable');
        expect(JSON.stringify(response.body)).not.toContain('/');
        expect(filesIn(service)).toEqual([]);
      }
      rmSync(ballast);
    }
    await upload(service, Buffer.alloc(4_000_000, 'a')).expect(503);
    await upload(service, Buffer.alloc(1_000_000, 'a')).expect(200);
    expect(filesIn(service)).toEqual([]);
  },
);

it('a poll finds that a file system is full, and leaves nothing there', { tags: 'mount' }, async () => {
  const disk = await smallDisk();
  const UPLOAD_DIR = join(realpathSync(disk), 'ours');
  const options = { UPLOAD_DIR, TMP_BASE: await tempDirectory(), requestMs: 60_000 };
  const storage = await openTemporaryStorage({ ...options, log: pino({ level: 'silent' }) });
  onTestFinished(() => storage.closeAndRemoveFiles());
  expect(await storage.findProblem()).toBeUndefined();
  fill(join(disk, 'ballast'), '4k');
  expect(await storage.findProblem()).toBe(`${UPLOAD_DIR}: ENOSPC`);
  expect(readdirSync(UPLOAD_DIR)).toEqual([]);
});

it.each(['a pipe that nobody reads', 'a full disk'])(
  'a log on %s stops neither decodes nor the end of the service',
  { tags: 'mount' },
  async (log) => {
    const disk = await smallDisk();
    const file = join(disk, 'log');
    const service = await spawnService(
      { LOG_LEVEL: 'debug', RING_CMD: { list: 'sleep 1; echo 332588056123456-1' } },
      log === 'a full disk'
        ? { before: `: >${file} && { tail -f --pid=$$ ${file} & } && exec >>${file}` }
        : {},
    );
    service.process.stdout?.[log === 'a full disk' ? 'destroy' : 'pause']();
    fill(join(disk, 'ballast'), '4k');
    expect(await fillLog(service.port)).toEqual(Array(600).fill(200));
    const answer = upload(service).then(({ status }) => status);
    await until(() => processesIn(service.tmpBase).length > 0);
    service.process.kill('SIGTERM');
    expect(await answer).toBe(200);
    expect(await service.exited).toBe(0);
    await expectNothingLeft(service);
  },
);

it(
  'a directory that another user has made again is not used, and the log says why',
  { tags: 'root' },
  async () => {
    const base = join(realpathSync(await tempDirectory()), 'base');
    const service = await spawnService({ UPLOAD_DIR: base }, { before: AS_ORDINARY_USER });
    // The first poll has ended.
    await upload(service).expect(200);
    rmdirSync(base);
    mkdirSync(base);
    chmodSync(base, 0o777);
    chownSync(base, 65_534, 65_534);
    const response = await upload(service);
    expectError(response, 'storage_unavailable');
    expect(JSON.stringify(response.body)).not.toContain('/');
    const detail = `${base}: it belongs to user 65534`;
    await expect.poll(() => service.log).toContainEqual(expect.objectContaining({ detail }));
  },
);

it('without a free file descriptor an upload is storage_unavailable, and decoded when there are some again', async () => {
  const service = await spawnService({ STATUS_TTL_SECONDS: '3600' }, { before: 'ulimit -n 45' });
  // The poll at the start has closed its files.
  await until(() => service.log.some(({ msg }) => String(msg).includes('ready to decode')));
  const connection = openConnection(service.port, GET_HEALTH);
  const responses = responsesOn(connection);
  await until(() => responses().length === 1);
  const isServed = (socket: Socket) =>
    new Promise((resolve) => {
      socket.once('data', () => resolve(true));
      socket.once('end', () => resolve(false)).once('close', () => resolve(false));
    });
  // One after another: of several at once Node.js drops more than it must, and has descriptors left.
  const others: Socket[] = [];
  let other;
  do others.push((other = openConnection(service.port, GET_HEALTH)));
  while (await isServed(other));
  connection.write(decodeRequest());
  await until(() => responses().length === 2);
  expectError(responses()[1], 'storage_unavailable');
  expect(filesIn(service)).toEqual([]);
  for (const socket of others) socket.destroy();
  await expect.poll(() => upload(service).then(({ status }) => status, String)).toBe(200);
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
  openConnection(victim.port, unfinishedUpload());
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
