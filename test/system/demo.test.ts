import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { accepts, freePort } from '../support/servers.js';
import { tempDirectory } from '../support/temp.js';

const root = resolve(import.meta.dirname, '../..');

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
