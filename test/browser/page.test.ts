import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { DAMAGED, FOREIGN, openHeldPage, openLicensePage, sample } from '../support/license-page.js';
import { LIMIT } from '../support/page-service.js';
import { tempDirectory } from '../support/temp.js';

/** Lets requests wait until the test releases them. */
async function holdRequests(page: Page, address: string): Promise<() => void> {
  const held = Promise.withResolvers<undefined>();
  await page.route(address, async (route) => {
    await held.promise;
    await route.continue();
  });
  return () => held.resolve(undefined);
}

describe('the page', { tags: 'chromium' }, () => {
  it('asks no other host, and the console notes nothing but what could not be read', async () => {
    const { page, complaints, foreign, choose } = await openLicensePage();
    await choose(sample(FOREIGN), DAMAGED);
    await page.getByText('1 file could not be read.').first().waitFor();
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
    const { page, url } = await openLicensePage();
    const release = await holdRequests(page, '**/assets/index-*.js');
    await page.goto(url, { waitUntil: 'commit' });
    await page.waitForFunction(() => document.styleSheets.length > 0);
    const heading = page.getByRole('heading', { name: 'License decoder' });
    const before = await heading.boundingBox();
    release();
    await page.getByText('Choose license files').waitFor();
    expect(await heading.boundingBox()).toMatchObject({ x: before?.x, y: before?.y });
    expect(await page.getByRole('heading').count()).toBe(1);
  });

  it('tells that it is a demo without moving anything', async () => {
    const { page } = await openLicensePage({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const release = await holdRequests(page, '**/api/status');
    await page.reload();
    await page.getByText('Choose license files').waitFor();
    // A phone has no folders to choose.
    expect(await page.getByText('or a folder').isVisible()).toBe(false);
    const topsOf = () =>
      page
        .locator('.start > *')
        .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().top));
    const before = await topsOf();
    release();
    await page.getByText('Demo: ').waitFor();
    const after = await topsOf();
    expect(after.slice(0, before.length)).toEqual(before);
  });

  it('reads the example where there is no Java', async () => {
    const { page, button } = await openLicensePage();
    await button('Show an example').click();
    await page.getByRole('button', { name: /^Read / }).click();
    await expect.poll(() => page.locator('.license.done').count()).toBe(LIMIT);
  });

  it('offers to reload when an update has removed a script that it needs now', async () => {
    const { page, choose, button } = await openLicensePage();
    await page.route(/\/(?:example|export-list)-/, (route) => route.abort());
    await button('Show an example').click();
    const notice = page.getByRole('alert').getByText('A part of the page could not be loaded');
    await notice.waitFor();
    await choose(sample(FOREIGN));
    await button('Excel').click();
    await button('Export 1 row').click();
    await notice.waitFor();
    expect(await notice.innerText()).toContain('Reloading clears the list.');
    // The browser asks, because the list is lost.
    page.once('dialog', (dialog) => void dialog.accept());
    await button('Reload the page').click();
    await page.getByText('Choose license files').waitFor();
  });

  it('asks before it is reloaded with results', async () => {
    const { page, choose } = await openHeldPage();
    await page.reload();
    await choose(DAMAGED);
    // Browsers ask only for pages that someone has used.
    await page.getByRole('heading', { name: /^1 / }).click();
    const asking = page.waitForEvent('dialog');
    await page.evaluate(() => setTimeout(() => location.reload(), 0));
    const dialog = await asking;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    expect(await page.locator('.license').count()).toBe(1);
  });

  it('takes a chosen folder with its folders; what is not .lic is named', async () => {
    const directory = join(await tempDirectory(), 'licenses');
    mkdirSync(join(directory, 'srv/1C'), { recursive: true });
    for (const name of ['a.lic', 'srv/1C/b.LIC', 'readme.txt']) writeFileSync(join(directory, name), name);
    const { page } = await openHeldPage();
    await page.locator('#folder').setInputFiles(directory);
    for (const path of ['licenses/a.lic', 'licenses/srv/1C/b.LIC']) {
      const name = page.locator(`td.column-product > [title="${path}"]`);
      await expect.poll(() => name.count()).toBe(1);
    }
    await page.getByText('Other files of the folder, left out because they are not .lic: 1').waitFor();
  });
});
