import { chromium, type BrowserContextOptions, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

export interface BrowserPage {
  page: Page;
  /** Errors and warnings on the console. The browser itself notes every answer of 400 or more. */
  complaints: string[];
  /** Requests to other hosts. */
  foreign: string[];
}

/** Opens a page of a new Chromium, and gathers what must not be seen there. */
export async function openBrowser(origin: string, options: BrowserContextOptions = {}): Promise<BrowserPage> {
  const browser = await chromium.launch({
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
  onTestFinished(() => browser.close());
  const page = await browser.newPage(options);
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  const foreign: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol !== 'data:') foreign.push(request.url());
  });
  return { page, complaints, foreign };
}
