import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { expectDocumented } from './support/contract.js';
import { fakeRing } from './support/fake-ring.js';
import { processesIn } from './support/processes.js';
import { eventually, LICENSE, upload } from './support/service.js';
import { filesOf, spawnService } from './support/spawned-service.js';
import { tempDirectory } from './support/temp.js';

const isRoot = process.getuid?.() === 0;
if (!isRoot)
  process.stderr.write('SKIPPED: the tests on full file systems: only root can mount a small tmpfs\n');

function smallFileSystem(at: string): void {
  mkdirSync(at, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', at]);
  onTestFinished(() => {
    execFileSync('umount', ['-l', at]);
  });
}

const ownDirectories = (base: string) =>
  readdirSync(base).filter((name) => name.startsWith('license-decoder-'));

describe.skipIf(!isRoot)('a full file system', () => {
  it.each(['UPLOAD_DIR', 'TMP_BASE'])(
    'for %s: 503 while it is full, 200 when it has room again',
    async (variable) => {
      const disk = join(await tempDirectory(), 'disk');
      smallFileSystem(disk);
      const service = await spawnService({ RING_CMD: await fakeRing(), [variable]: disk });
      await upload(service).expect(200);
      const ballast = join(disk, 'ballast');
      spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k'], { stdio: 'ignore' });
      const response = await upload(service, Buffer.alloc(500_000, 'a'));
      expectDocumented(response);
      expect(response.status).toBe(503);
      expect(response.body).toMatchObject({ error: 'storage_unavailable' });
      expect(JSON.stringify(response.body)).not.toContain('/');
      expect(filesOf(service)).toEqual([]);
      rmSync(ballast);
      await upload(service).expect(200);
    },
  );

  it('keeps nothing of a file that does not fit', async () => {
    const disk = join(await tempDirectory(), 'disk');
    smallFileSystem(disk);
    const service = await spawnService({ RING_CMD: await fakeRing(), UPLOAD_DIR: disk });
    for (let i = 0; i < 5; i++) {
      const response = await upload(service, Buffer.alloc(4_000_000, 'a'));
      expect(response.body).toMatchObject({ error: 'storage_unavailable' });
    }
    await upload(service, Buffer.alloc(1_000_000, 'a')).expect(200);
    expect(filesOf(service)).toEqual([]);
  });
});

describe('the directories', () => {
  it('are made at the start', async () => {
    const base = join(await tempDirectory(), 'a/b/c');
    const service = await spawnService({
      RING_CMD: await fakeRing(),
      UPLOAD_DIR: `${base}/uploads`,
      TMP_BASE: `${base}/work`,
    });
    await upload(service).expect(200);
  });

  it.each(['UPLOAD_DIR', 'TMP_BASE'])(
    '%s that can not be written to ends the start, and the message says so',
    async (variable) => {
      const base = join(await tempDirectory(), 'file');
      writeFileSync(base, '');
      await expect(spawnService({ [variable]: `${base}/below` })).rejects.toThrow(
        new RegExp(
          `ended with 1: The service can't start:\n${variable}: can't write to ${base}/below \\(ENOTDIR\\)\\. Make it a directory that user \\d+ may write to.*or set ${variable}\\.\n$`,
        ),
      );
    },
  );

  it.runIf(isRoot)('that another user owns ends the start, too', async () => {
    const base = await tempDirectory();
    chmodSync(base, 0o755);
    const dist = spawnService(
      { UPLOAD_DIR: join(base, 'uploads') },
      { through: ['setpriv', '--reuid=65534', '--clear-groups'] },
    );
    await expect(dist).rejects.toThrow(
      /UPLOAD_DIR: can't write to .*\(EACCES\)\. Make it a directory that user 65534/,
    );
  });

  it.each(['UPLOAD_DIR', 'TMP_BASE'])('%s that is removed while running is made again', async (variable) => {
    const base = join(await tempDirectory(), 'base');
    const service = await spawnService({ RING_CMD: await fakeRing(), [variable]: base });
    await upload(service).expect(200);
    rmSync(base, { recursive: true });
    await upload(service).expect(200);
    expect(ownDirectories(base)).toHaveLength(1);
    expect(filesOf(service)).toEqual([]);
    // What it made again is its own as before: another start leaves it alone.
    await spawnService({ [variable]: base });
    expect(ownDirectories(base)).toHaveLength(2);
  });
});

describe('too many open files', () => {
  it('refuse what can not be done and are over when the load is', async () => {
    const service = await spawnService(
      { RING_CMD: await fakeRing({ list: 'sleep 0.2; echo 332588056123456-1' }), RING_CONCURRENCY: '8' },
      { through: ['prlimit', '--nofile=45'] },
    );
    const answers = await Promise.allSettled(
      Array.from({ length: 60 }, () => upload(service, Buffer.alloc(200_000, 'a'))),
    );
    const statuses = answers.map((answer) =>
      answer.status === 'fulfilled' ? answer.value.status : 'no connection',
    );
    expect(new Set(statuses).size).toBeGreaterThan(1);
    for (const status of statuses) expect([200, 503, 'no connection']).toContain(status);
    expect(await eventually(() => filesOf(service).length === 0)).toBe(true);
    await upload(service).expect(200);
    await supertest(service.url).get('/healthz').expect(200);
  });
});

describe('kill -9 in mid-decode', () => {
  it('leaves files and a JVM to the next start, which removes its own and no other', async () => {
    const base = await tempDirectory();
    const shared = { UPLOAD_DIR: join(base, 'uploads'), TMP_BASE: join(base, 'work') };
    const hanging = { RING_CMD: await fakeRing({ list: 'sleep 300 & wait' }), ...shared };
    const victim = await spawnService(hanging);
    const other = await spawnService(hanging);
    upload(victim, LICENSE).end(() => undefined);
    upload(other, LICENSE).end(() => undefined);
    const stranger = join(shared.TMP_BASE, 'somebody-else');
    mkdirSync(stranger);
    expect(await eventually(() => processesIn(base).length >= 4)).toBe(true);
    const before = processesIn(base);

    victim.process.kill('SIGKILL');
    await victim.exited;
    expect(filesOf(victim).filter((file) => file.endsWith('.lic'))).toHaveLength(2);
    expect(processesIn(base)).toEqual(before);

    await spawnService({ RING_CMD: hanging.RING_CMD, ...shared });
    expect(filesOf(victim).filter((file) => file.endsWith('.lic'))).toHaveLength(1);
    expect(await eventually(() => processesIn(base).length === before.length / 2, 1000)).toBe(true);
    expect(existsSync(stranger)).toBe(true);
    expect(ownDirectories(shared.TMP_BASE)).toHaveLength(2);
    expect(ownDirectories(shared.UPLOAD_DIR)).toHaveLength(2);
  });

  it('in mid-upload leaves a file to the next start', async () => {
    const service = await spawnService({ RING_CMD: await fakeRing() });
    const request = supertest(service.url)
      .post('/api/decode')
      .attach('license', Buffer.alloc(5_000_000), 'a.lic');
    request.end(() => undefined);
    const caught = await eventually(() => {
      if (filesOf(service).length === 0) return false;
      service.process.kill('SIGKILL');
      return true;
    });
    expect(caught).toBe(true);
    await service.exited;
    const left = filesOf(service);
    expect(left).toHaveLength(1);
    await spawnService({ UPLOAD_DIR: service.uploadDir, TMP_BASE: service.tmpBase });
    expect(filesOf(service)).toEqual([]);
  });
});
