import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { inject } from 'vitest';
import { fleet, license, licenseText } from '../../scripts/bench/fleet.mjs';
import { openBrowser, type BrowserPage } from './browser.js';
import { answerAbout, holdService, PERMIT } from './held-service.js';
import { SAMPLES } from './project.js';
import { until } from './until.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A sample that another computer has, and one that fits every computer. */
export const FOREIGN = '20240115120000.lic';
export const FITTING = '20250301090000.lic';

export interface GivenFile {
  name: string;
  text: string | Buffer;
  folder?: string | undefined;
}

export const sample = (name: string): GivenFile => ({
  name,
  text: readFileSync(join(SAMPLES, name)),
});
export const DAMAGED: GivenFile = { name: 'damaged.lic', text: `${PERMIT}damaged\n` };

interface LicenseParts {
  company?: string;
  product?: string;
  computer?: string;
  /** Digits only. */
  previousPin?: string;
}

/** A license of the fleet of scripts/bench/fleet.mjs with other values. */
export function licenseFile(index: number, parts: LicenseParts): GivenFile {
  const { company, computer, product, previousPin = '' } = parts;
  const { file, folder, permit, clearText } = license(index, new Date().getFullYear());
  const text = licenseText({
    permit: {
      ...permit,
      previousPin,
      customer: { ...permit.customer, ...(company && { company }) },
      product: { ...permit.product, ...(product && { description: product }) },
      computer: { ...permit.computer, ...(computer && { 'Computer name': computer }) },
    },
    clearText,
  });
  return { name: file, folder, text };
}

/** The address of the service that all tests share, for a test that puts something in front of it. */
export const PAGES = inject('pages');

export interface LicensePage extends BrowserPage {
  url: string;
  /** Gives files to the page, as its button does. */
  choose: (...files: GivenFile[]) => Promise<void>;
  /** Drops files on the page, with their folders. */
  drop: (files: readonly GivenFile[]) => Promise<void>;
  useToken: (token: string) => Promise<void>;
  /** By the link to the other language. */
  changeLanguage: () => Promise<void>;
  rows: Locator;
  /** The cells of a column. */
  column: (name: string) => Locator;
  button: (name: string | RegExp) => Locator;
}

/** An address for which the service has counted nothing: its network, by which the service counts, is a random one. */
const newAddress = () =>
  `fd00:${randomBytes(6)
    .toString('hex')
    .replace(/.{4}(?=.)/g, '$&:')}::1`;

/** Opens the page of the shared service, in English unless told otherwise, as a client of its own. */
export async function openLicensePage(
  options: BrowserContextOptions = {},
  url = PAGES,
): Promise<LicensePage> {
  const browser = await openBrowser(url, {
    locale: 'en-US',
    // Each has its own part of the limit.
    extraHTTPHeaders: { 'X-Forwarded-For': newAddress() },
    ...options,
  });
  const { page } = browser;
  await page.goto(url);
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  return {
    ...browser,
    url,
    choose: (...files) =>
      page
        .locator('#files')
        .setInputFiles(files.map(({ name, text }) => ({ name, mimeType: '', buffer: Buffer.from(text) }))),
    drop: (files) => drop(page, files),
    useToken: async (token) => {
      if (!(await page.locator('#token').isVisible()))
        await page.locator('[aria-controls=token-dialog]').click();
      await page.locator('#token').fill(token);
      await page.locator('#token').press('Enter');
    },
    changeLanguage: () => page.getByRole('link', { name: /^(?:Русский|English)$/ }).click(),
    rows: page.locator('.license'),
    column: (name) => page.locator(`td.column-${name}`),
    button,
  };
}

/** Opens the page of the shared service, before which the test holds the answers to decodes: ring takes seconds. */
export async function openHeldPage(options: BrowserContextOptions = {}) {
  const service = await holdService(answerAbout, { pages: PAGES });
  return { service, ...(await openLicensePage(options, service.url)) };
}

/** Opens such a page with a list of which nothing is read: it is longer than the limit. */
export async function openList(options: BrowserContextOptions = {}, files: readonly GivenFile[] = fleet(10)) {
  const held = await openHeldPage(options);
  await held.drop(files);
  await until(async () => (await held.rows.count()) === files.length);
  return held;
}

/** A drop from the file manager, whose entries no script can make: only the list of the event is replaced. */
async function drop(page: Page, files: readonly GivenFile[]): Promise<void> {
  const given = files.map(({ name, text, folder }) => ({ name, text: String(text), folder }));
  await page.evaluate((given) => {
    const items = given.map(({ name, text, folder }) => ({
      webkitGetAsEntry: () => ({
        name,
        fullPath: folder ? `/${folder}/${name}` : `/${name}`,
        isFile: true,
        isDirectory: false,
        file: (resolve: (file: File) => void) => resolve(new File([text], name)),
      }),
    }));
    const event = new DragEvent('drop', { bubbles: true, cancelable: true });
    Object.defineProperty(event, 'dataTransfer', { value: { types: ['Files'], items } });
    document.body.dispatchEvent(event);
  }, given);
}

/** Runs axe-core with all its rules, best practices among them. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(`axe.run().then(({ violations }) => violations.map(
    ({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
}

/** Pixels by which the page is wider than its window. */
export const overflow = (page: Page) =>
  page.evaluate(() => {
    const { documentElement } = document;
    // The place that is kept for a scrollbar belongs to the window, but not to the page.
    return documentElement.scrollWidth - documentElement.getBoundingClientRect().width;
  });

/** The visible cells of some columns whose text is cut, unless that is an error, and headers that touch the next one. */
export const cutCells = (page: Page, columns: readonly string[]) =>
  page.evaluate((columns) => {
    const isCut = ({ scrollHeight, clientHeight, scrollWidth, clientWidth }: Element) =>
      scrollHeight > clientHeight + 2 || scrollWidth > clientWidth + 1;
    const selector = columns.map((name) => `td.column-${name}:not(:has(.problem))`).join();
    const cells = [...document.querySelectorAll(selector || 'nothing')];
    const cut = cells
      .filter((cell) => cell.checkVisibility() && [cell, ...cell.children].some(isCut))
      .map(({ textContent }) => textContent);
    const headers = [...document.querySelectorAll('th')].filter((header) => header.checkVisibility());
    const ends = headers.map((header) => {
      const range = document.createRange();
      range.selectNodeContents(header);
      return { ...range.getBoundingClientRect().toJSON(), text: header.textContent } as DOMRect & {
        text: string;
      };
    });
    const touching = ends.filter(({ right }, index) => right + 2 > (ends[index + 1]?.left ?? Infinity));
    return [...cut, ...touching.map(({ text }) => text)];
  }, columns);

/** What has the focus, in words: its name for screen readers or its text. */
export const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (element === document.body) return 'body';
    const [label] = element instanceof HTMLInputElement ? (element.labels ?? []) : [];
    return element?.ariaLabel ?? (label ?? element)?.textContent;
  });
