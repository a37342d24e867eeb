import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempDirectory } from '../support/temp.js';
import { ROOT } from '../support/project.js';

const IMAGE = 'ghcr.io/someone/license-decoder';
const CHANGELOG =
  '# Changelog\n\n## [1.2.3] - 2026-12-01\n\n### Fixed\n\n- Something.\n\n## [1.2.2] - 2026-11-01\n\n- Old.\n';

type Files = Partial<Record<'version' | 'lock' | 'changelog', string>>;

describe('scripts/release.mjs', { tags: 'git' }, () => {
  /** A repository with one commit and these tags. */
  async function repository(tags: string[], files: Files = {}) {
    const { version = '1.2.3', lock = version, changelog = CHANGELOG } = files;
    const directory = await tempDirectory();
    const git = (...args: string[]) => execFileSync('git', args, { cwd: directory, encoding: 'utf8' });
    writeFileSync(join(directory, 'package.json'), JSON.stringify({ version, config: { image: IMAGE } }));
    writeFileSync(join(directory, 'package-lock.json'), JSON.stringify({ version: lock }));
    writeFileSync(join(directory, 'CHANGELOG.md'), changelog);
    git('init', '--quiet');
    git('add', '.');
    git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '--quiet', '--message', 'x');
    for (const tag of tags) git('tag', tag);
    return { directory, revision: git('rev-parse', 'HEAD').trim() };
  }

  function release(directory: string, args: string[], GITHUB_REPOSITORY = 'Someone/license-decoder') {
    return spawnSync(process.execPath, [join(ROOT, 'scripts/release.mjs'), ...args], {
      cwd: directory,
      env: { ...process.env, GITHUB_REPOSITORY },
      encoding: 'utf8',
    });
  }

  it('prints what to publish, and the notes', async () => {
    const { directory, revision } = await repository(['v1.2.2', 'v1.2.3']);
    const { stdout, stderr } = release(directory, ['v1.2.3']);
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n')).toEqual([
      'tag=v1.2.3',
      'version=1.2.3',
      `revision=${revision}`,
      `image=${IMAGE}`,
      'image-tags=1.2.3 1.2 latest',
      'demo-tags=demo',
    ]);
    expect(release(directory, ['--notes', 'v1.2.3']).stdout).toBe('### Fixed\n\n- Something.\n');
  });

  it('leaves latest and demo to the highest version', async () => {
    const { directory } = await repository(['v1.2.3', 'v1.10.0']);
    expect(release(directory, ['v1.2.3']).stdout).toContain('image-tags=1.2.3 1.2\ndemo-tags=\n');
  });

  it('takes the highest version without a tag, and publishes nothing without any', async () => {
    const { directory } = await repository(['v1.2.3', 'v1.2.1', 'v9-experiment']);
    expect(release(directory, ['']).stdout).toContain('tag=v1.2.3\n');
    const { directory: untagged } = await repository([]);
    const { stdout, stderr, status } = release(untagged, ['']);
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
    expect(stderr).toMatch(/^Nothing/);
  });

  const without = '\n## [1.2.3] - 2026-12-01\n\n## [1.0.0] - x\n\n- x';
  it.each<[string, Files, string]>([
    ['v1.2', {}, 'The tag v1.2 is no version'],
    ['v1.2.3', { version: '1.2.4' }, 'package.json has version 1.2.4'],
    ['v1.2.3', { lock: '1.2.4' }, 'package-lock.json has version 1.2.4'],
    ['v1.2.3', { changelog: '## [1.2.30] - 2026-12-01\n\n- x\n' }, 'CHANGELOG.md has no'],
    ['v1.2.3', { changelog: without }, 'CHANGELOG.md has no'],
    ['v1.2.3', { changelog: CHANGELOG.replace('2026-12-01', 'unreleased') }, 'with the date of the release'],
  ])('refuses the tag %s with %o: %s', async (tag, files, problem) => {
    const { directory } = await repository([tag], files);
    const { status, stdout, stderr } = release(directory, [tag]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(problem);
  });

  it('refuses a tag that is not there', async () => {
    const { directory } = await repository([]);
    expect(release(directory, ['v1.2.3'])).toMatchObject({ stderr: 'There is no tag v1.2.3.\n', status: 1 });
  });

  it('refuses to publish under the name of another repository', async () => {
    const { directory } = await repository(['v1.2.3']);
    const { status, stderr } = release(directory, ['v1.2.3'], 'other/fork');
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `package.json names the image ${IMAGE}, this repository publishes ghcr.io/other/fork.\n`,
    });
  });
});
