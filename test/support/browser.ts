import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';

export interface BrowserPage {
  page: Page;
  /** Errors and warnings on the console. The browser itself notes every answer of 400 or more. */
  complaints: string[];
  /** Requests to other hosts. */
  foreign: string[];
}

/** One for all tests of a file. */
let browser: Promise<Browser> | undefined;
afterAll(async () => (await browser)?.close());

const launch = () =>
  chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      // Chromium's sandbox does not start as root, which is what containers run tests as.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

/** Opens a page that shares nothing with those of other tests, and gathers what must not be seen there. */
export async function openBrowser(origin: string, options: BrowserContextOptions = {}): Promise<BrowserPage> {
  browser ??= launch();
  const context = await (await browser).newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
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
