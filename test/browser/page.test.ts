import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  DAMAGED,
  FITTING,
  FOREIGN,
  openHeldPage,
  openLicensePage,
  sample,
  violations,
} from '../support/license-page.js';
import { tempDirectory } from '../support/temp.js';

describe('the page', { tags: 'chromium' }, () => {
  it('reads three files, one of them damaged', async () => {
    const { page, complaints, foreign, choose, row } = await openLicensePage({ locale: 'ru-RU' });
    const title = 'License decoder: просмотр лицензий 1С';
    expect(await page.title()).toBe(title);
    expect(await page.getAttribute('html', 'lang')).toBe('ru');
    await page.getByText('Демо: читает только вымышленные образцы.').waitFor();

    await choose(sample(FOREIGN), DAMAGED, sample(FITTING));
    await page.getByRole('status').getByText('1 файл не прочитан.').waitFor();
    await expect.poll(() => page.title()).toBe(title);
    expect(await row(FOREIGN).locator('td.column-pin').innerText()).toContain('481-207-935-660-142');
    expect(await row('damaged.lic').locator('.column-product').innerText()).toMatch('ring не смог');
    expect(complaints).toEqual([expect.stringContaining('status of 422')]);
    expect(foreign).toEqual([]);
  });

  it('loads less than 60 kB, compressed as docs/deploy/nginx/nginx.conf says, and the rest on demand', async () => {
    const { page } = await openLicensePage();
    const names: string[] = [];
    const sizes: Promise<number>[] = [];
    page.on('response', (response) => {
      names.push(new URL(response.url()).pathname);
      const body = response.body().then((body) => gzipSync(body, { level: 5 }).length);
      // Of what was answered before the reload the body is gone.
      sizes.push(body.catch(() => 0));
    });
    await page.reload({ waitUntil: 'networkidle' });
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(names.some((name) => /^\/assets\/index-.*\.js$/.test(name))).toBe(true);
    expect(names.filter((name) => /export-list|example/.test(name))).toEqual([]);
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(60_000);
  });

  it('shows its heading before its script has come, and keeps it in its place then', async () => {
    const { page, url } = await openLicensePage({ locale: 'ru-RU' });
    const script = Promise.withResolvers<undefined>();
    await page.route('**/assets/index-*.js', async (route) => {
      await script.promise;
      await route.continue();
    });
    await page.goto(url, { waitUntil: 'commit' });
    await page.waitForFunction(() => document.styleSheets.length > 0);
    const heading = page.getByRole('heading', { name: 'License decoder просмотр лицензий 1С' });
    const before = await heading.boundingBox();
    script.resolve(undefined);
    await page.getByText('Выбрать файлы лицензий').waitFor();
    expect(await heading.boundingBox()).toMatchObject({ x: before?.x, y: before?.y });
    expect(await page.getByRole('heading').count()).toBe(1);
  });

  it('tells that it is a demo without moving anything', async () => {
    const { page } = await openLicensePage({ locale: 'ru-RU', viewport: { width: 390, height: 844 } });
    const status = Promise.withResolvers<undefined>();
    await page.route('**/api/status', async (route) => {
      await status.promise;
      await route.continue();
    });
    await page.reload();
    await page.getByText('Выбрать файлы лицензий').waitFor();
    // A phone has no folders to choose.
    expect(await page.getByText('или папку').isVisible()).toBe(false);
    const placesOf = () =>
      page
        .locator('.start > *')
        .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().top));
    const before = await placesOf();
    status.resolve(undefined);
    await page.getByText('Демо: читает только вымышленные образцы.').waitFor();
    const after = await placesOf();
    expect(after.slice(0, before.length)).toEqual(before);
  });

  it('asks before it is reloaded with results', async () => {
    const { page, choose } = await openHeldPage();
    await page.reload();
    let answer: 'accept' | 'dismiss' = 'dismiss';
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog[answer]();
    });
    await choose(DAMAGED);
    // Browsers ask only for pages that someone has used.
    await page.getByRole('heading', { name: /^1 / }).click();
    await page.evaluate(() => setTimeout(() => location.reload(), 0));
    await expect.poll(() => asked).toEqual(['beforeunload']);
    expect(await page.locator('.license-card').count()).toBe(1);
    answer = 'accept';
    const loaded = page.waitForEvent('load');
    await page.evaluate(() => setTimeout(() => location.reload(), 0));
    await loaded;
    expect(await page.locator('.license-card').count()).toBe(0);
  });

  it('takes a chosen folder with its folders; what is not .lic is named', async () => {
    const directory = join(await tempDirectory(), 'licenses');
    mkdirSync(join(directory, 'srv/1C'), { recursive: true });
    for (const name of ['a.lic', 'srv/1C/b.LIC', 'readme.txt']) writeFileSync(join(directory, name), name);
    const { page, column } = await openHeldPage();
    await page.locator('#folder').setInputFiles(directory);
    await expect
      .poll(() => column('file').allInnerTexts())
      .toEqual(['licenses/a.lic', 'licenses/srv/1C/b.LIC']);
    await page.getByText('readme.txt: not .lic. Rename it to .lic if it is a license.').waitFor();
  });

  it('tells a browser in words that there is no such page', async () => {
    const { page, url, complaints } = await openLicensePage();
    await page.goto(`${url}/licenses`);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'License decoder' }).click();
    await page.getByText('Choose license files').waitFor();
    expect(complaints).toEqual([expect.stringContaining('status of 404')]);
  });
});
