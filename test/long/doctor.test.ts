import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { CONTRACT_WORDS } from '../support/contract-words.js';
import { buildJvmRing, licenseTo } from '../support/jvm-ring.js';
import { DIST } from '../support/project.js';
import { tempDirectory } from '../support/temp.js';

it(
  'the self-check runs a tuned JVM as the service does, and understands all that it prints',
  { tags: 'javac' },
  async () => {
    const { directory, launcher } = buildJvmRing();
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const license = join(directory, 'a.lic');
    writeFileSync(license, licenseTo(`owner ${CONTRACT_WORDS}\n`));
    const cwd = await tempDirectory();
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(DIST, 'doctor/doctor.js'), license, '--report', 'report.txt'],
      {
        cwd,
        env: {
          PATH: process.env['PATH'],
          TMPDIR: cwd,
          RING_CMD: launcher,
          UPLOAD_DIR: join(cwd, 'uploads'),
          TMP_BASE: join(cwd, 'work'),
        },
        encoding: 'utf8',
      },
    );
    expect(stdout).not.toContain('✗');
    expect(status).toBe(0);
    expect(stdout).toContain('✓ JVM tuning with an archive of classes: ');
    expect(stdout).toMatch(/✓ ring license info \(ru\): exit status 0, [\d.]+ s\n/);
    expect(readdirSync(cwd)).toEqual(['report.txt']);
  },
);
