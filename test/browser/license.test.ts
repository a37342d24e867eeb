import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fleet } from '../../scripts/bench/fleet.mjs';
import { answerAbout } from '../support/held-service.js';
import {
  FITTING,
  focused,
  FOREIGN,
  openHeldPage,
  openLicensePage,
  licenseFile,
  openList,
  overflow,
  sample,
  violations,
} from '../support/license-page.js';

const SMALL = { width: 1366, height: 768 };
const PHONE = { width: 390, height: 844 };

it.each([
  [390, 'ru-RU'],
  [1366, 'en-US'],
  [1920, 'ru-RU'],
])(
  'the details of a single license stand while it is read, at %i px in %s, and nothing in it moves',
  { tags: 'chromium' },
  async (width, locale) => {
    const { page, service, drop } = await openHeldPage({ locale, viewport: { width, height: 900 } });
    const reading = Promise.withResolvers<undefined>();
    service.respond = async (text) => {
      await reading.promise;
      return answerAbout(text);
    };
    await drop(fleet(1));
    await expect.poll(() => service.decodes.length).toBe(1);
    const parts = page.locator('.details :is(.headline, h2, .fields dt)');
    await parts.first().waitFor();
    const placesOf = () =>
      parts.evaluateAll((all) =>
        all.map((part) => {
          const { x, y, height } = part.getBoundingClientRect();
          return { text: part.textContent, x, y, height };
        }),
      );
    const places = await placesOf();
    reading.resolve(undefined);
    await page.locator('.details .digits').waitFor();
    // What only reading tells comes last.
    expect(await placesOf()).toEqual(expect.arrayContaining(places));
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
  },
);

describe('the details of a license', { tags: 'chromium' }, () => {
  it.each([
    ['a screen', SMALL],
    ['a phone', PHONE],
  ])('open below their row on %s, in view, and close by a second press', async (_where, viewport) => {
    const { page, rows } = await openList({ viewport });
    const details = page.locator('.details');
    const pressRow = () => rows.nth(4).locator('.column-product').click();
    const historyLength = () => page.evaluate(() => history.length);
    const entries = await historyLength();
    await pressRow();
    await details.waitFor();
    const row = await rows.nth(4).boundingBox();
    const place = await details.boundingBox();
    if (!row || !place) expect.unreachable('There is no row, or no details.');
    expect(Math.abs(place.y - row.y - row.height)).toBeLessThan(1);
    expect(place.x).toBe(row.x);
    expect(row.y).toBeGreaterThanOrEqual(0);
    expect(await page.locator('.license :focus').count()).toBe(1);
    expect(await historyLength()).toBe(entries);
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await pressRow();
    await expect.poll(() => details.count()).toBe(0);
  });

  it('lead to the license that came after it, and the focus goes there', async () => {
    const files = [licenseFile(0, {}), licenseFile(1, { previousPin: '332588056123456' })];
    const { page, button } = await openList({ viewport: SMALL }, files);
    const read = (number: string) => page.locator('.license.done', { hasText: number });
    const next = read('8100007919');
    await next.waitFor();
    await read('8100000000').locator('.column-product').click();
    await button(/^Replaced by 332-589/).press('Enter');
    await next.and(page.locator('.open:focus-within')).waitFor();
  });
});

describe('of a license that was read', { tags: 'chromium' }, () => {
  it('owner data are copied as they are, and the original output is shown and saved as JSON', async () => {
    const { page, choose, button } = await openLicensePage({
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await choose(sample(FOREIGN));
    await button('Copy Last name: Ветрова').click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('Ветрова');
    for (const part of ['Reactivate', 'Raw ring output']) await page.getByText(part).click();
    await page.getByText('The check ran on the server, where a license for another computer').waitFor();
    expect(await violations(page)).toEqual([]);
    const downloading = page.waitForEvent('download');
    await button('Download JSON').click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('20240115120000.json');
    const content = readFileSync(await download.path(), 'utf8');
    expect(JSON.parse(content)).toMatchObject({ structured: { pin: '481207935660142' } });
  });

  it('the PIN code is copied without the clipboard API too, which browsers have only over HTTPS', async () => {
    const { page, choose, button } = await openLicensePage();
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await choose(sample(FITTING));
    const copy = page.locator('.fields').getByLabel('Copy the PIN code 7305-4418-2960-5172');
    await copy.click();
    await expect.poll(() => copy.getAttribute('title')).toBe('Copied');
    await page.evaluate('document.execCommand = () => false');
    await copy.click();
    await page.getByRole('status').getByText('Not copied').waitFor();
    await button(/^Limit: \d/).click();
    await expect.poll(() => focused(page)).toBe('Access token');
    await page.keyboard.press('Control+V');
    expect(await page.getByLabel('Access token').inputValue()).toBe('7305-4418-2960-5172');
  });
});
