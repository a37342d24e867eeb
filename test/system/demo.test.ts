import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { accepts, freePort } from '../support/servers.js';
import { startTestService, upload } from '../support/service.js';
import { tempDirectory } from '../support/temp.js';

const root = resolve(import.meta.dirname, '../..');
const samples = join(root, 'scripts/demo-ring/samples');

describe('the demo', () => {
  it('decodes a sample, prints curl commands that work, leaves nothing', { tags: 'curl' }, async () => {
    const [port, tmp] = [await freePort(), await tempDirectory()];
    const demo = spawn('node', ['scripts/demo.mjs'], {
      cwd: root,
      env: { ...process.env, PORT: String(port), LOG_LEVEL: 'silent', TMPDIR: tmp },
    });
    onTestFinished(() => void demo.kill('SIGKILL'));
    let output = '';
    demo.stdout.on('data', (data: Buffer) => (output += data.toString()));
    demo.stderr.on('data', (data: Buffer) => (output += data.toString()));
    const exited = new Promise((resolve) => demo.once('exit', resolve));
    await expect.poll(() => output).toContain('Ctrl-C');
    expect(output).toContain('STAND-IN');
    expect(output).toMatch(/"licData": "Информация о пользователе:/);

    const commands = [...output.matchAll(/^curl .*$/gm)].map(([command]) => command);
    expect(commands).toHaveLength(2);
    for (const command of commands) {
      const answer = execFileSync('sh', ['-c', command.replace('curl', 'curl -s')], { cwd: root }).toString();
      expect((JSON.parse(answer) as { pinCode: string }).pinCode).toMatch(/^\d{3,4}-/);
    }
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    expect(readme).toContain(commands[0]?.replace(String(port), '3000'));

    demo.kill('SIGINT');
    expect(await exited).toBe(0);
    expect(await accepts(port)).toBe(false);
    expect(readdirSync(tmp)).toEqual([]);
  });
});

it.each([
  ['ru', /^Информация о пользователе:\n {4}Имя: /, /успешно/, /ошибкой/],
  ['en', /^Customer information:\n {4}First name: /, /passed/, /failed/],
])(
  'the stand-in for ring decodes every sample and no other file (%s)',
  async (RING_LANG, info, fits, not) => {
    const service = await startTestService({ RING_CMD: join(root, 'scripts/demo-ring/ring'), RING_LANG });
    const decodes = readdirSync(samples).map(async (name) => {
      const request = upload(service, readFileSync(join(samples, name)), name).field('detailed', 'true');
      return (await request.expect(200)).body as Record<string, string>;
    });
    const answers = await Promise.all(decodes);
    for (const body of answers) {
      expect(body['licData']).toMatch(info);
      expect(body['licHWConfig']).toContain('Computer name : ');
      expect(body['currentHWConfig']).toContain('OS name : Linux');
    }
    const verdicts = answers.map(({ validateData = '' }) => validateData);
    expect(verdicts.filter((verdict) => fits.test(verdict))).toHaveLength(1);
    expect(verdicts.filter((verdict) => not.test(verdict))).toHaveLength(answers.length - 1);
    expect((await upload(service, Buffer.from('bGljZW5zZQ=='))).status).toBe(422);
  },
);
