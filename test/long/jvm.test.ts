import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { archiveMethod } from '../../src/ring/jvm/make-archive.js';
import { expectDocumented, expectError } from '../support/contract.js';
import {
  DETAILED,
  expectRuns,
  expectTuned,
  installedJres,
  JVM_LICENSE,
  licenseTo,
  logged,
  PLAIN,
  withJvmRing,
} from '../support/jvm-ring.js';
import { upload } from '../support/service.js';
import { expectNothingLeft, tempDirectory } from '../support/temp.js';

const start = withJvmRing();

describe.each(installedJres('decodes with a real JVM'))('on $name', ({ major, env }) => {
  it.each(['list', 'info', 'validate'])(
    'leaves nothing when the client goes away during %s',
    async (command) => {
      const service = await start({}, env);
      const request = upload(service, licenseTo(`hang in ${command}`));
      request.end(() => undefined);
      await expectRuns(service, command);
      request.abort();
      await expectNothingLeft(service);
    },
  );

  it(`${major < 17 ? 'keeps warnings about' : 'answers 503 on'} a reflective access to the JRE`, async () => {
    const service = await start({}, env);
    const response = await upload(service, licenseTo('reflect')).field('detailed', 'true');
    expectDocumented(response);
    if (major < 17) {
      expect(response.body).toEqual(DETAILED);
      return;
    }
    expectError(response, 'ring_unavailable');
    expect(logged(service, '--add-opens=')).toBe(true);

    const RING_OPTS = '--add-opens=java.base/java.lang=ALL-UNNAMED';
    const allowed = await start({}, { ...env, RING_OPTS });
    expect((await upload(allowed, licenseTo('reflect'))).body).toEqual(PLAIN);
  });

  const archives = archiveMethod(major, '') === undefined ? 0 : 1;
  it(`decodes the same when tuned, ${archives ? 'from an archive of its classes' : 'without an archive'}`, async () => {
    const traces = await tempDirectory();
    const RING_OPTS = archives ? `-Xlog:class+load:file=${join(traces, '%p')}` : '';
    const service = await start({ RING_JVM_TUNING: 'on' }, { ...env, RING_OPTS });
    await expectTuned(service);
    const made = service.files().filter((path) => path.endsWith('/classes.jsa'));
    expect(made).toHaveLength(archives);

    const before = new Set(readdirSync(traces));
    const response = await upload(service, JVM_LICENSE).field('detailed', 'true');
    expect(response.body).toEqual(DETAILED);
    const runs = readdirSync(traces)
      .filter((name) => !before.has(name))
      .map((name) => readFileSync(join(traces, name), 'utf8'))
      // A poll of ring's version, which may come between, loads no license module.
      .filter((loaded) => loaded.includes(' License source:'));
    expect(runs).toHaveLength(3 * archives);
    for (const loaded of runs) expect(loaded).toMatch(/ Ring source: shared objects file/);
  });
});
