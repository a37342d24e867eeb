import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { DEMO_RING, read, ROOT } from './project.js';
import { spawnService } from './spawned-service.js';

const succeeds = (command: string) => spawnSync('sh', ['-c', command]).status === 0;

export interface Snippet {
  title: string;
  language: string;
  code: string;
}

/** The fenced blocks of a page. */
export const snippetsOf = (path: string): Snippet[] =>
  [...read(path).matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
    title: `${path}: ${language}: ${code.split('\n', 1).join()}`,
    language,
    code,
  }));

/** What runs the code of a language that comes on standard input. */
const INTERPRETERS = new Map(Object.entries({ sh: ['sh', '-eu'], python: ['python3', '-'] }));

function whyNotRun({ language, code }: Snippet): string | undefined {
  if (!INTERPRETERS.has(language)) return `nothing here runs ${language}`;
  if (code.includes('docker')) return 'it needs a container engine';
  if (code.includes('npm ci')) return 'it would replace the packages that the tests run on';
  if (code.includes('curl') && !succeeds('command -v curl')) return 'there is no curl here';
  const canRun = language !== 'python' || succeeds('python3 -c "import requests"');
  return canRun ? undefined : 'there is no Python with requests here';
}

/** The code of README.md and docs/examples.md that can run here. Prints the rest. */
export function runnableSnippets(): Snippet[] {
  return ['README.md', 'docs/examples.md'].flatMap(snippetsOf).filter((snippet) => {
    const { title, language } = snippet;
    if (language === 'json') return false;
    const reason = whyNotRun(snippet);
    if (reason) process.stderr.write(`NOT RUN: ${title}: ${reason}\n`);
    return !reason;
  });
}

/** Starts the service on the demo ring and runs the code in the project's root, with another port. @returns its output */
export async function interpretWithService({ language, code }: Snippet): Promise<string> {
  const { port } = await spawnService({ RING_CMD: DEMO_RING });
  const [program = '', ...args] = INTERPRETERS.get(language) ?? [];
  const input = code.replaceAll('localhost:3000', `localhost:${port}`);
  const env = { ...process.env, NO_PROXY: '*' };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, input, env, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return stdout;
}
