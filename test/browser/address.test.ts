import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerAbout, holdService } from '../support/held-service.js';
import { licenseFile, openLicensePage, PAGES, violations } from '../support/license-page.js';

const BELOW = '/licenses';

/** A proxy that serves a page below a path which the service does not see, as `proxy_pass http://service/;` does. */
async function proxyBelowPath(): Promise<string> {
  const service = await holdService(answerAbout, { pages: PAGES });
  const proxy = createServer((request, response) => {
    const { method, headers, url = '' } = request;
    if (!url.startsWith(`${BELOW}/`)) {
      response.writeHead(404).end('Not below the path.');
      return;
    }
    const target = new URL(url.slice(BELOW.length), service.url);
    const onward = forward(target, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

describe('below a path of a proxy', { tags: 'chromium' }, () => {
  it('the page works, also when its address has a user and a password', async () => {
    const origin = await proxyBelowPath();
    const address = `${origin.replace('//', '//user:password@')}${BELOW}/`;
    const { page, choose, complaints, changeLanguage } = await openLicensePage({}, address);
    await choose(licenseFile(1, {}));
    await page.locator('.details .digits').waitFor();
    await changeLanguage();
    await expect.poll(() => page.url()).toMatch(/\/licenses\/\?lang=ru$/);
    const icon = page.locator('.head img');
    expect(await icon.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
  });

  it.each(['docs', 'docs/'])('%s sends its requests to where the service is', async (path) => {
    const origin = await proxyBelowPath();
    const { page, complaints } = await openLicensePage({}, `${origin}${BELOW}/${path}`);
    const status = page.locator('.opblock', { hasText: '/api/status' }).first();
    await status.locator('.opblock-summary').first().click();
    const sent = page.waitForRequest(/\/api\/status$/);
    await status.getByRole('button', { name: 'Execute' }).click();
    expect((await sent).url()).toBe(`${origin}${BELOW}/api/status`);
    await page.getByRole('link', { name: 'Decode files in the browser' }).click();
    await page.getByText('Choose license files').waitFor();
    expect(complaints).toEqual([]);
  });

  it('an address deep below it that leads nowhere says so, and leads back to the page', async () => {
    const origin = await proxyBelowPath();
    const { page, complaints } = await openLicensePage({}, `${origin}${BELOW}/a/b/c`);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    expect(await page.evaluate(() => document.styleSheets.length)).toBe(1);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'License decoder' }).click();
    await page.getByText('Choose license files').waitFor();
    expect(page.url()).toBe(`${origin}${BELOW}/`);
    expect(complaints).toEqual([expect.stringContaining('status of 404')]);
  });
});
