import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyOfBuild } from '../support/build-copy.js';
import { DIST, read } from '../support/project.js';
import { openConnection, unfinishedUpload } from '../support/raw-http.js';
import { upload } from '../support/service.js';
import { AS_ORDINARY_USER, failedStart, spawnService } from '../support/spawned-service.js';
import { tempDirectory } from '../support/temp.js';
import { until } from '../support/until.js';

const NOBODY = 65_534;

describe('a start that fails says why in one line and ends with status 1', () => {
  it('because .env cannot be read', async () => {
    const cwd = await tempDirectory();
    mkdirSync(join(cwd, '.env'));
    expect(await failedStart({}, { before: `cd '${cwd}'` })).toMatch(/^\.env: cannot be read \(EISDIR.*\n$/);
  });

  it('because Node.js is too old', () => {
    const version = '24.18.0';
    const preload = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`;
    const args = ['--import', preload, join(DIST, 'server.js')];
    const { stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect(stderr).toMatch(new RegExp(`is needed; this is ${version}.\n$`));
    expect(status).toBe(1);
  });

  it('because another user owns UPLOAD_DIR', { tags: 'root' }, async () => {
    const base = await tempDirectory();
    chownSync(base, NOBODY, NOBODY);
    const options = { before: AS_ORDINARY_USER };
    const output = await failedStart({ UPLOAD_DIR: join(base, 'uploads') }, options);
    expect(output).toContain(`UPLOAD_DIR: cannot write to ${base}, which belongs to user 65534 (EACCES). `);
  });

  it('because the disk is read-only', { tags: 'mount' }, async () => {
    const base = await tempDirectory();
    const before = `set -- unshare --mount sh -c 'mount -t tmpfs -o ro tmpfs ${base} && exec "$@"' sh "$@"`;
    const output = await failedStart({ UPLOAD_DIR: join(base, 'uploads') }, { before });
    expect(output).toContain(`UPLOAD_DIR: cannot write to ${base}, which belongs to user 0 (EROFS). `);
  });
});

it('names its version and the commit that was built in the first line of the log, in the page and in the API reference', async () => {
  const { dist } = await copyOfBuild();
  writeFileSync(join(dist, 'commit.txt'), '0a1b2c3');
  const { version: release } = JSON.parse(read('package.json')) as { version: string };
  const version = `${release}+0a1b2c3`;
  const { url, log } = await spawnService({}, { dist });
  expect(log[0]).toMatchObject({ msg: 'starting', version });
  expect(await (await fetch(url)).text()).toContain(`data-version="${version}"`);
  const document: unknown = await (await fetch(`${url}/api/docs`)).json();
  expect(document).toHaveProperty('info.version', version);
});

describe('the directories', () => {
  it('end the start when others can write to them; uploads are readable for nobody else', async () => {
    const base = realpathSync(await tempDirectory());
    chmodSync(base, 0o777);
    const user = process.getuid?.();
    expect(await failedStart({ UPLOAD_DIR: base })).toBe(
      `UPLOAD_DIR: ${base}: other users can write to it. ` +
        `Make it a directory of user ${user} with mode 700, or name a new one.\n`,
    );

    chmodSync(base, 0o755);
    const service = await spawnService({ UPLOAD_DIR: base }, { before: 'umask 0022' });
    openConnection(service.port, unfinishedUpload());
    const uploads = () => readdirSync(base).filter((name) => name.startsWith('upload-'));
    await until(() => uploads().length > 0);
    expect(statSync(join(base, uploads()[0] ?? '')).mode & 0o077).toBe(0);
  });

  it('cause a warning when the JVM cannot be told to unpack into them', async () => {
    const base = await tempDirectory();
    const service = await spawnService({
      UPLOAD_DIR: join(base, 'an upload'),
      TMP_BASE: join(base, 'a decode'),
    });
    const warnings = service.log.filter(({ level, variable }) => level === 40 && variable);
    expect(warnings).toMatchObject([
      { variable: 'TMP_BASE', msg: expect.stringContaining('choose a path without blanks') as string },
    ]);
    await upload(service).expect(200);
  });

  it("are below the system's temporary directory by default", async () => {
    const TMPDIR = await tempDirectory();
    const env = { ...process.env, TMPDIR };
    const service = await spawnService({ UPLOAD_DIR: '', TMP_BASE: '' }, { env });
    await upload(service).expect(200);
    // Each user's own: the first one's is closed to the second.
    const directory = join(TMPDIR, `license-decoder-${process.getuid?.()}`);
    expect((statSync(directory).mode & 0o777).toString(8)).toBe('700');
  });
});
