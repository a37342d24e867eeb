import { spawnSync } from 'node:child_process';
import { findChromium, findWholeChromium } from '../../scripts/chromium.mjs';

const succeeds = (script: string) => spawnSync('sh', ['-c', script]).status === 0;

/** The real programs that system tests run, by the tag of those tests. The value names the Debian packages with them. */
const PACKAGES: Record<string, string> = {
  chromium: 'chromium-headless-shell',
  'whole-chromium': 'chromium',
  curl: 'curl',
  'firefox-esr': 'firefox-esr',
  gcc: 'gcc libc6-dev',
  git: 'git',
  javac: 'default-jdk-headless',
  nginx: 'nginx-light',
  openssl: 'openssl',
  promtool: 'prometheus',
  'redis-server': 'redis-server',
  shellcheck: 'shellcheck',
  'systemd-analyze': 'systemd',
};

/** Other things that system tests need, by tag: a shell command that succeeds if the machine has them. */
const RIGHTS: Record<string, string> = {
  root: 'test "$(id -u)" = 0',
  mount: 'd=$(mktemp -d) && { mount -t tmpfs tmpfs "$d" && umount "$d"; code=$?; rmdir "$d"; exit $code; }',
  // An engine with the image of scripts/test-image.sh, and without an installation that a test would replace.
  docker:
    'docker compose version && docker image inspect license-decoder:test && test -z "$(docker ps -aq -f name=^license-decoder)"',
};

// Debian keeps nginx where a normal user's PATH does not reach.
process.env['PATH'] = `${process.env['PATH'] ?? ''}:/usr/sbin`;

/** Programs that may have another name or place than their tag says. */
const FOUND: Record<string, () => string | undefined> = {
  chromium: findChromium,
  'whole-chromium': findWholeChromium,
};

const missingPrograms = Object.keys(PACKAGES).filter(
  (program) => !(FOUND[program] ? FOUND[program]() : succeeds(`command -v ${program}`)),
);
const missingRights = Object.keys(RIGHTS).filter((right) => !succeeds(RIGHTS[right] ?? ''));

/** Tags whose tests can't run on this machine. */
export const missing = [...missingPrograms, ...missingRights];
export const tags = [...Object.keys(PACKAGES), ...Object.keys(RIGHTS)];
/** Names the Debian packages to install for programs, by default for all missing ones. */
export const packagesOf = (programs: readonly string[] = missingPrograms) =>
  programs.flatMap((program) => PACKAGES[program] ?? []);
