import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fleet } from '../../scripts/bench/fleet.mjs';
import {
  DAMAGED,
  downloaded,
  FITTING,
  focused,
  FOREIGN,
  openHeldPage,
  openLicensePage,
  sample,
  violations,
} from '../support/license-page.js';

/** Whether an element is within the window, not under the head of the table. */
const isInView = (element: Locator) =>
  element.evaluate((node) => {
    const { top, bottom } = node.getBoundingClientRect();
    return top >= 20 && bottom <= innerHeight;
  });

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

describe('the details of a license', { tags: 'chromium' }, () => {
  it('open by themselves for a single file, fit on a screen, and stay while rows come', async () => {
    const { page, choose, row } = await openLicensePage({ viewport: { width: 1366, height: 800 } });
    await choose(sample(FOREIGN));
    const panel = page.locator('.panel');
    await panel.locator('.digits').waitFor();
    expect((await panel.boundingBox())?.height).toBeLessThan(800);
    const [first] = (await panel.innerText()).split('\nBound to');
    expect(first).toMatch(/PIN code\s+481-207-935-660-142\s+Owner\s+ООО "Ромашка"\s+Valid until\s+Dec 31/);
    await choose({ ...sample(FITTING), name: FOREIGN });
    await panel.locator('.digits', { hasText: '7305-4418-2960-5172' }).waitFor();
    await choose(sample(FITTING), DAMAGED, { name: 'other.lic', text: 'eA==\n' });
    await row('damaged.lic').waitFor();
    await expect.poll(() => panel.count()).toBe(0);
    await row(FITTING).locator('td.column-owner').click();
    await panel.locator('.digits').waitFor();
    const before = await panel.boundingBox();
    await page.getByLabel('Actions: damaged.lic').click();
    await page.getByRole('menuitem', { name: 'Remove from the list' }).click();
    await expect.poll(() => row('damaged.lic').count()).toBe(0);
    expect(await panel.boundingBox()).toEqual(before);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => panel.count()).toBe(0);
  });

  it('lie over the table of a smaller screen, take the focus, and give it back', async () => {
    const { page, choose, row } = await openLicensePage({ viewport: { width: 1280, height: 720 } });
    await choose(sample(FOREIGN), DAMAGED);
    await page
      .getByText(/^1 of 2 read[.] Failed: /)
      .first()
      .waitFor();
    await row('damaged.lic').locator('.column-product').click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('panel');
    expect(await page.locator('.panel .problem').innerText()).toMatch(/^ring could not decode/);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.closest('table')?.className)).toContain(
      'licenses',
    );
  });

  it('beside a long table change with the arrow keys, and the license stays in view', async () => {
    const { page, drop, rows } = await openHeldPage({ viewport: { width: 1366, height: 768 } });
    await drop(fleet(200));
    await expect.poll(() => rows.count()).toBe(200);
    const row = page.locator('.license').nth(120);
    await row.locator('td.column-product').click();
    await page.locator('.panel').waitFor();
    await expect.poll(() => isInView(row)).toBe(true);
    for (const key of ['ArrowDown', 'PageDown', 'ArrowUp']) await page.keyboard.press(key);
    const open = page.locator('.license').nth(130);
    await expect.poll(() => open.getAttribute('class')).toMatch(/\bopen\b/);
    expect(await isInView(open)).toBe(true);
    const file = await open.locator('td.column-file').textContent();
    expect(await page.locator('.panel').getAttribute('aria-label')).toBe(`Details: ${file}`);
    await page.keyboard.press('Escape');
    await expect.poll(() => isInView(open)).toBe(true);
  });

  it('no longer follow the table when the window has become so narrow that they lie over it', async () => {
    const { page, drop, rows } = await openHeldPage({ viewport: { width: 1366, height: 768 } });
    await drop(fleet(10));
    await expect.poll(() => rows.count()).toBe(10);
    await rows.nth(2).locator('td.column-product').click();
    const label = () => page.locator('.panel').getAttribute('aria-label');
    const opened = await label();
    await page.keyboard.press('ArrowDown');
    await expect.poll(label).not.toBe(opened);
    const next = await label();
    await page.setViewportSize({ width: 1280, height: 768 });
    await page.locator('.licenses [tabindex="0"]').focus();
    await page.keyboard.press('ArrowDown');
    expect(await label()).toBe(next);
  });

  it('have the hardware, the whole answer, and what a new activation needs to be copied', async () => {
    const { page, choose, button } = await openLicensePage(CLIPBOARD);
    await choose(sample(FOREIGN));
    await page.getByText('Computer in the license').click();
    expect(await page.locator('.hardware').innerText()).toContain('34359738368 (32 GB)');
    await page.getByText('Original output of ring').click();
    const { name, content } = await downloaded(page, button('Download JSON'));
    expect(name).toBe('20240115120000.json');
    expect(JSON.parse(content.toString())).toMatchObject({ structured: { pin: '481207935660142' } });

    await page.getByText('Activate again').click();
    await page.getByLabel('New PIN code').waitFor();
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    expect(await page.locator('.activation').innerText()).toMatch(
      /unused PIN code.*481-207-935-660-142.*Windows.*Linux.*Мария/s,
    );
    await button('Copy: Former PIN code').click();
    await expect.poll(clipboard).toBe('481-207-935-660-142');
    await button('Copy: Data of the owner').click();
    await expect.poll(clipboard).toMatch(/^First name: Мария\nMiddle name: Сергеевна\nLast name: Ветрова\n/);
    expect(await page.locator('mark').allInnerTexts()).toEqual(['NEW-PIN', 'NEW-PIN']);
    await page.getByLabel('New PIN code').fill("123-456-789'; reboot #");
    await page.keyboard.press('Escape');
    await button('Copy: Command for Windows').click();
    await expect.poll(clipboard).toMatch(/^ring license activate .* --pin "123456789" /);
    await button('Copy: Command for Linux').click();
    await expect.poll(clipboard).toMatch(/^ring license activate .* --pin '123456789' /);
    await expect.poll(() => page.locator('mark').count()).toBe(0);
    // Copied before it is drawn.
    await page.getByLabel('New PIN code').evaluate((field: HTMLInputElement) => {
      field.value = '555';
      field.dispatchEvent(new Event('input', { bubbles: true }));
      document.querySelector<HTMLElement>('.command button')?.click();
    });
    await expect.poll(clipboard).toMatch(/--pin "555"/);
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('header.head').innerText()).toMatch(/ on \w+ \d+, \d{4}$/);
  });

  it('are copied without the clipboard API too, which browsers have only over HTTPS', async () => {
    const { page, choose, button } = await openLicensePage();
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await choose(sample(FITTING));
    await page.locator('.panel').getByLabel('Copy: PIN code').click();
    await button('Copied: PIN code').waitFor();
    await page.evaluate('document.execCommand = () => false');
    await page
      .locator('.panel')
      .getByLabel(/: PIN code/)
      .click();
    await expect
      .poll(() => page.getByRole('status').allInnerTexts())
      .toContainEqual(expect.stringContaining('Not copied'));
    await button('Without a token').click();
    await expect.poll(() => focused(page)).toBe('');
    await page.keyboard.press('Control+V');
    expect(await page.getByLabel('Access token').inputValue()).toBe('7305-4418-2960-5172');
  });
});
