import { globSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { copyOfBuild } from '../support/build-copy.js';
import { startNginx } from '../support/servers.js';
import { spawnService } from '../support/spawned-service.js';

/** A build whose assets have other names, as those of another version have. */
async function otherVersion(): Promise<string> {
  const { dist } = await copyOfBuild();
  const files = (pattern: string) => globSync(`${dist}/web/static/${pattern}`);
  const names = files('assets/*').map((file) => file.slice(file.lastIndexOf('/') + 1));
  for (const file of files('{,assets/}*.{html,js,css}')) {
    let text = readFileSync(file, 'utf8');
    for (const name of names) text = text.replaceAll(name, `other-${name}`);
    writeFileSync(file, text);
  }
  for (const file of files('assets/*')) {
    const name = file.slice(file.lastIndexOf('/') + 1);
    renameSync(file, join(dirname(file), `other-${name}`));
  }
  return dist;
}

it(
  'while two replicas have different versions, each load of the page works',
  {
    tags: ['nginx', 'chromium'],
  },
  async () => {
    const older = await spawnService();
    const newer = await spawnService({}, { dist: await otherVersion() });
    const origin = `http://127.0.0.1:${await startNginx([older.port, newer.port])}`;
    const seen = new Set<boolean>();
    for (let load = 0; load < 12 || (seen.size < 2 && load < 60); load++) {
      // Replicas that are equally busy take turns. A load with an even number of requests would always begin at the same one.
      if (load % 2 === 1) await fetch(`${origin}/healthz`);
      // Each in a browser that has no file of the loads before.
      const { page, complaints } = await openBrowser(origin);
      await page.goto(origin);
      // The script draws it.
      await page.locator('#page-title').waitFor();
      const script = await page.locator('script').getAttribute('src');
      seen.add(script?.includes('other-') ?? false);
      expect(complaints).toEqual([]);
    }
    expect(seen).toEqual(new Set([true, false]));
  },
);
