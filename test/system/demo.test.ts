import { execFileSync, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { read, ROOT } from '../support/project.js';
import { accepts, freePort } from '../support/servers.js';
import { tempDirectory } from '../support/temp.js';

describe('the demo', () => {
  it('prints a curl command that decodes a sample, and leaves nothing', { tags: 'curl' }, async () => {
    const [port, tmp] = [await freePort(), await tempDirectory()];
    const demo = spawn('node', ['scripts/demo.mjs'], {
      cwd: ROOT,
      env: { ...process.env, PORT: String(port), LOG_LEVEL: 'silent', TMPDIR: tmp },
    });
    onTestFinished(() => void demo.kill('SIGKILL'));
    let output = '';
    demo.stdout.on('data', (data: Buffer) => (output += data.toString()));
    demo.stderr.on('data', (data: Buffer) => (output += data.toString()));
    const exited = new Promise((resolve) => demo.once('exit', resolve));
    await expect.poll(() => output).toContain('Ctrl-C');
    expect(output).toContain('STAND-IN');
    const [command = ''] = /^curl .*$/m.exec(output) ?? [];
    const answer = execFileSync('sh', ['-c', command.replace('curl', 'curl -s')], { cwd: ROOT }).toString();
    expect((JSON.parse(answer) as { pinCode: string }).pinCode).toMatch(/^\d{3,4}-/);
    expect(read('README.md')).toContain(command.replace(String(port), '3000'));

    demo.kill('SIGINT');
    expect(await exited).toBe(0);
    expect(await accepts(port)).toBe(false);
    expect(readdirSync(tmp)).toEqual([]);
  });
});
