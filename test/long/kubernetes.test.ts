import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { tempDirectory } from '../support/temp.js';
import { read, ROOT } from '../support/project.js';

/** What TypeScript reports when it holds the resources against types made from the Kubernetes API. */
async function typeErrors(resources: string): Promise<string> {
  const constants = parseAllDocuments(resources).map((document, index) => {
    const resource = document.toJS() as { apiVersion: string; kind: string };
    // The module of apps/v1 is apps/v1, of v1 core/v1, of networking.k8s.io/v1 networking/v1.
    const [version = '', group = 'core'] = resource.apiVersion.split('/').reverse();
    const module = join(ROOT, 'node_modules/kubernetes-types', group.replace(/\..*/, ''), version);
    return `export const resource${index}: import('${module}').${resource.kind} = ${JSON.stringify(resource)};`;
  });
  const file = join(await tempDirectory(), 'resources.ts');
  await writeFile(file, constants.join('\n'));
  const options =
    '--noEmit --strict --skipLibCheck --ignoreConfig --module esnext --moduleResolution bundler';
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [tsc, ...options.split(' '), file], { encoding: 'utf8' }).stdout;
}

it('docs/deploy/kubernetes.yaml follows the Kubernetes API', async () => {
  const resources = read('docs/deploy/kubernetes.yaml');
  expect(await typeErrors(resources)).toBe('');
  const misspelled = resources.replace('readinessProbe:', 'readynessProbe:');
  expect(await typeErrors(misspelled)).toContain('readynessProbe');
});
