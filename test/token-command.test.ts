import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import jwt from 'jsonwebtoken';
import { describe, expect, it } from 'vitest';
import { fakeRing } from './support/fake-ring.js';
import { startTestService, upload } from './support/service.js';
import { tempDirectory } from './support/temp.js';

const root = resolve(import.meta.dirname, '..');
const SECRET = 'a secret for tests that is longer than 32 bytes';

function token(
  args: string[],
  { env = {}, cwd = root }: { env?: Record<string, string>; cwd?: string } = {},
) {
  const options = { cwd, env: { PATH: process.env['PATH'], ...env }, encoding: 'utf8' } as const;
  return spawnSync(process.execPath, [join(root, 'scripts/token.mjs'), ...args], options);
}

describe('npm run token', () => {
  it('prints a token that the service takes, and nothing else', async () => {
    const command = ['run', '--silent', 'token', '--', '--days', '30', '--subject', 'postman'];
    const { stdout, stderr, status } = spawnSync('npm', command, {
      cwd: root,
      env: { ...process.env, JWT_SECRET: SECRET },
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const { iat, exp, sub } = jwt.verify(stdout.trim(), SECRET, { algorithms: ['HS256'] }) as jwt.JwtPayload;
    expect([(exp ?? 0) - (iat ?? 0), sub]).toEqual([30 * 86_400, 'postman']);

    const service = await startTestService({ RING_CMD: await fakeRing(), JWT_SECRET: SECRET });
    const response = await upload(service).set('Authorization', `Bearer ${stdout.trim()}`);
    expect(response.headers).not.toHaveProperty('x-ratelimit-limit');
  });

  it('takes the secret from .env', async () => {
    const cwd = await tempDirectory();
    writeFileSync(join(cwd, '.env'), `JWT_SECRET="${SECRET}"\n`);
    const { stdout } = token(['--days', '1'], { cwd });
    expect(() => jwt.verify(stdout.trim(), SECRET)).not.toThrow();
  });

  it.each<[string, string[], Record<string, string>, RegExp]>([
    ['no secret', ['--days', '30'], {}, /^JWT_SECRET is not set/],
    ['no days', [], { JWT_SECRET: SECRET }, /^--days must be/],
    ['days that are no number', ['--days', 'x'], { JWT_SECRET: SECRET }, /^--days must be/],
    ['no days at all to go', ['--days', '0'], { JWT_SECRET: SECRET }, /^--days must be/],
    ['an unknown option', ['--years', '1'], { JWT_SECRET: SECRET }, /--years/],
  ])('tells what is wrong: %s', async (_title, args, env, message) => {
    const { stdout, stderr, status } = token(args, { env, cwd: await tempDirectory() });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
    expect(stderr).toContain('Usage: ');
    expect(stderr).not.toContain('    at ');
  });
});

it('npm run secret prints a new secret of 32 bytes each time', () => {
  const secret = () =>
    spawnSync('npm', ['run', '--silent', 'secret'], { cwd: root, encoding: 'utf8' }).stdout.trim();
  const [one, two] = [secret(), secret()];
  expect(Buffer.from(one, 'base64url')).toHaveLength(32);
  expect(one).not.toBe(two);
});
