import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
/** For what Chromium would leave in the user's home. */
const home = mkdtempSync(join(tmpdir(), 'ld-chromium-'));
afterAll(async () => {
  await (await browser)?.close();
  rmSync(home, { recursive: true });
});

const launch = () =>
  chromium.launch({
    executablePath: '/usr/bin/chromium',
    env: { ...process.env, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
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
