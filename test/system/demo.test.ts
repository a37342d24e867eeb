import { execFileSync, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../support/project.js';
import { accepts, freePort } from '../support/servers.js';
import { snippetsOf } from '../support/snippets.js';
import { tempDirectory } from '../support/temp.js';
import { environmentWithoutJava } from '../support/without-java.js';

it(
  'without Java, npm run demo decodes by the call in README.md, and leaves nothing',
  { tags: 'curl' },
  async () => {
    const port = String(await freePort());
    const tmp = await tempDirectory();
    const env = { ...environmentWithoutJava(await tempDirectory()), PORT: port, TMPDIR: tmp, NO_PROXY: '*' };
    const sh = (command: string) => execFileSync('sh', ['-c', command], { cwd: ROOT, env, encoding: 'utf8' });
    expect(sh('command -v java || echo none')).toBe('none\n');

    const demo = spawn('npm', ['run', 'demo'], { cwd: ROOT, env, detached: true });
    const pid = demo.pid ?? 0;
    const signal = (name: string) => sh(`kill -s ${name} -- -${pid} 2>/dev/null || true`);
    onTestFinished(() => void signal('KILL'));
    let output = '';
    demo.stdout.on('data', (data: Buffer) => (output += data.toString()));
    demo.stderr.on('data', (data: Buffer) => (output += data.toString()));
    const exited = new Promise((resolve) => demo.once('exit', resolve));
    await expect.poll(() => output).toContain('Ctrl-C');
    expect(output).toContain('STAND-IN');

    const [call, example] = snippetsOf('README.md').filter(({ code }) => /^curl|^\{/.test(code));
    const command = (call?.code ?? '').replace('3000', port);
    expect(output).toContain(command);
    const { structured } = JSON.parse(sh(command)) as { structured: unknown };
    expect(structured).toMatchObject(JSON.parse(example?.code ?? '') as object);
    // The page sends nothing before the service is ready.
    expect((await fetch(`http://localhost:${port}/api/status`)).status).toBe(200);

    // As Ctrl-C does.
    signal('INT');
    await exited;
    expect(await accepts(Number(port))).toBe(false);
    expect(readdirSync(tmp)).toEqual([]);
  },
);
