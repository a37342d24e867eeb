import { readdirSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { parse } from 'yaml';
import { read, ROOT } from '../../support/project.js';

interface Job {
  permissions?: Record<string, string>;
  steps?: { run?: string; uses?: string; with?: object }[];
}

const DIRECTORY = '.github/workflows';
const names = readdirSync(join(ROOT, DIRECTORY));
const workflows = names.map((name) => ({ name, text: read(join(DIRECTORY, name)) }));

// GitHub's language service imports JSON without the attribute that Node.js asks for.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
});
const { validate } = await import('@actions/languageservice');

/** What GitHub finds wrong in a workflow; it remembers the text that it has seen under a name. */
async function faults(name: string, text: string): Promise<unknown[]> {
  const document = TextDocument.create(`file:///${DIRECTORY}/${name}`, 'yaml', 1, text);
  return (await validate(document)).map(({ message }) => message);
}

it.each(workflows)('GitHub finds no fault in $name, and would', async ({ name, text }) => {
  expect(await faults(name, text)).toEqual([]);
  const misspelled = text.replace('runs-on:', 'run-on:').replace('github.event_name', 'githab.event_name');
  expect((await faults(`misspelled-${name}`, misspelled)).length).toBeGreaterThan(0);
});

it.each(workflows)('$name pins every action of others by commit, with its version as comment', ({ text }) => {
  const actions = [...text.matchAll(/uses: (?!\.\/)(.*)$/gm)].map(([, action]) => action);
  expect(actions).not.toEqual([]);
  for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
});

it.each(workflows)(
  '$name names the rights of each job, and passes values to scripts as variables',
  ({ text }) => {
    const { permissions, jobs } = parse(text) as { permissions: object; jobs: Record<string, Job> };
    expect(permissions).toEqual({});
    for (const job of Object.values(jobs)) {
      expect(job.permissions).toBeDefined();
      // GitHub would put the value into the script, where it could add commands.
      for (const { run } of job.steps ?? []) expect(run ?? '').not.toContain('${{');
    }
  },
);

it('a release signs and tags only images that were scanned by their digests', () => {
  const { jobs } = parse(read(join(DIRECTORY, 'release.yml'))) as { jobs: Record<string, Job> };
  const steps = jobs['image']?.steps ?? [];
  const isScan = ({ uses }: { uses?: string }) => uses?.startsWith('anchore/scan-action@') ?? false;
  const limits = { 'severity-cutoff': 'high', 'only-fixed': true };
  expect(steps.filter(isScan).map((step) => step.with)).toMatchObject([
    { image: '${{ env.IMAGE }}@${{ steps.service.outputs.digest }}', ...limits },
    { image: '${{ env.IMAGE }}@${{ steps.demo.outputs.digest }}', ...limits },
  ]);
  const publishing = steps.findIndex(({ run = '' }) => /cosign sign|imagetools create/.test(run));
  expect(publishing).toBeGreaterThan(steps.findLastIndex(isScan));
});

it('CI asks for known weaknesses of the packages in the image', () => {
  const { jobs } = parse(read(join(DIRECTORY, 'ci.yml'))) as { jobs: Record<string, Job> };
  const commands = Object.values(jobs).flatMap(({ steps = [] }) => steps.map(({ run }) => run));
  expect(commands).toContain('npm audit --omit=dev --audit-level=high');
});
