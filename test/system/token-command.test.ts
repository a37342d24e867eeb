import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import jwt from 'jsonwebtoken';
import { describe, expect, it } from 'vitest';
import { tempDirectory } from '../support/temp.js';

const root = resolve(import.meta.dirname, '../..');
const SECRET = 'a secret for tests that is longer than 32 bytes';

/** Runs the script in a directory that has no .env unless the test writes one. */
function token(cwd: string, args: string[], env: Record<string, string> = {}) {
  const options = { cwd, env: { PATH: process.env['PATH'], ...env }, encoding: 'utf8' } as const;
  return spawnSync(process.execPath, [join(root, 'scripts/token.mjs'), ...args], options);
}

describe('npm run token', () => {
  it.each<[string, string[], Record<string, string>, RegExp]>([
    ['no secret', ['--days', '30'], {}, /^JWT_SECRET is not set/],
    ['zero days', ['--days', '0'], { JWT_SECRET: SECRET }, /^--days must be/],
    ['too many days', ['--days', '1000000000'], { JWT_SECRET: SECRET }, /^--days .* up to 36500/],
    ['an unknown option', ['--years', '1'], { JWT_SECRET: SECRET }, /--years/],
  ])('explains what is wrong with %s', async (_title, args, env, message) => {
    const { stdout, stderr, status } = token(await tempDirectory(), args, env);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
    expect(stderr).toContain('Usage: ');
    expect(stderr).not.toContain('    at ');
  });

  it('prints a token for the subject and the days, and nothing else, by the secret in .env', async () => {
    const cwd = await tempDirectory();
    writeFileSync(join(cwd, '.env'), `JWT_SECRET="${SECRET}"\n`);
    const { stdout } = token(cwd, ['--days', '30', '--subject', 'shop']);
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const { iat, exp, sub } = jwt.verify(stdout.trim(), SECRET, { algorithms: ['HS256'] }) as jwt.JwtPayload;
    expect([(exp ?? 0) - (iat ?? 0), sub]).toEqual([30 * 86_400, 'shop']);
  });
});

it('npm run secret prints a new secret of 32 bytes each time', () => {
  const options = { cwd: root, encoding: 'utf8' } as const;
  const secret = () => spawnSync('npm', ['run', '--silent', 'secret'], options).stdout.trim();
  const [one, two] = [secret(), secret()];
  expect(Buffer.from(one, 'base64url')).toHaveLength(32);
  expect(one).not.toBe(two);
});
