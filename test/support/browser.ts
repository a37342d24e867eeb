import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { inject, onTestFinished } from 'vitest';
import { launchChromium } from '../../scripts/chromium.mjs';

export interface BrowserPage {
  page: Page;
  /** Errors and warnings on the console. The browser itself notes every answer of 400 or more. */
  complaints: string[];
  /** Requests to other hosts. */
  foreign: string[];
}

/** One for all tests of this process. */
let browser: Promise<Browser> | undefined;
afterLastTest(async () => (await browser)?.close());

/** Far above what a close takes, on a busy machine too. */
const CLOSE_TIMEOUT_MS = 10_000;

/** Closes the pages of a test without asking them. Chromium may not end that: then the browser is closed as a whole. */
async function close(context: BrowserContext): Promise<void> {
  const closing = Promise.all(context.pages().map((page) => page.close({ runBeforeUnload: false })))
    .then(() => context.close())
    .then(() => true);
  if (await Promise.race([closing, sleep(CLOSE_TIMEOUT_MS, false, { ref: false })])) return;
  process.stderr.write(
    `Chromium did not close a page within ${CLOSE_TIMEOUT_MS} ms; it was closed itself.\n`,
  );
  const stuck = browser;
  browser = undefined;
  closing.catch(() => undefined);
  await (await stuck)?.close();
}

/** Opens a page that shares nothing with those of other tests, and gathers what must not be seen there. */
export async function openBrowser(origin: string, options: BrowserContextOptions = {}): Promise<BrowserPage> {
  browser ??= launchChromium(inject('chromiumHome'));
  const context = await (await browser).newContext(options);
  onTestFinished(() => close(context));
  const page = await context.newPage();
  page.setDefaultTimeout(45_000);
  const complaints: string[] = [];
  const foreign: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol)) foreign.push(request.url());
  });
  return { page, complaints, foreign };
}
