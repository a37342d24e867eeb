import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { openBrowser, type BrowserPage } from './browser.js';
import { spawnService, type SpawnedService } from './spawned-service.js';

const DEMO = resolve(import.meta.dirname, '../../scripts/demo-ring');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Reads the licenses of {@link sample} and of scripts/bench/fleet.mjs. */
export const STAND_IN = join(DEMO, 'ring');
export const SECRET = 'a secret of more than thirty-two bytes';

/** A sample that another computer has, and one that fits every computer. */
export const FOREIGN = '20240115120000.lic';
export const FITTING = '20250301090000.lic';

export interface GivenFile {
  name: string;
  text: string | Buffer;
}

export const sample = (name: string): GivenFile => ({
  name,
  text: readFileSync(join(DEMO, 'samples', name)),
});
export const DAMAGED: GivenFile = { name: 'damaged.lic', text: 'bGljZW5zZQ==\n' };

export interface LicensePage extends BrowserPage {
  service: SpawnedService;
  url: string;
  /** Gives files to the page, as its button does. */
  choose: (...files: GivenFile[]) => Promise<void>;
  /** The row of a file. */
  row: (name: string) => Locator;
  /** The texts of the cells of a column. */
  column: (name: string) => Promise<string[]>;
  button: (name: string | RegExp) => Locator;
}

/** Opens the page of a service of its own, in English unless told otherwise. */
export async function openLicensePage(
  settings: Record<string, string> = {},
  options: BrowserContextOptions = {},
): Promise<LicensePage> {
  const service = await spawnService({ RING_CMD: STAND_IN, JWT_SECRET: SECRET, ...settings });
  const browser = await openBrowser(service.url, { locale: 'en-US', ...options });
  const { page } = browser;
  await page.goto(service.url);
  return {
    ...browser,
    service,
    url: service.url,
    choose: (...files) =>
      page
        .locator('#files')
        .setInputFiles(files.map(({ name, text }) => ({ name, mimeType: '', buffer: Buffer.from(text) }))),
    row: (name) => page.locator('tbody.license', { has: page.locator('.name', { hasText: name }) }),
    column: (name) => page.locator(`td.column-${name}`).allTextContents(),
    button: (name) => page.getByRole('button', { name }),
  };
}

/** Runs axe-core with all its rules, best practices among them. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(`axe.run().then(({ violations }) => violations.map(
    ({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
}

/** Pixels by which the page is wider than its window. */
export const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** The file that a button saves. */
export async function downloaded(page: Page, button: Locator): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { name: download.suggestedFilename(), content: readFileSync(await download.path()) };
}

/** What has the focus, in words: its name for screen readers or its text. */
export const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    return element === document.body ? 'body' : (element?.ariaLabel ?? element?.textContent);
  });
