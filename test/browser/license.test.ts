import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fleet } from '../../scripts/bench/fleet.mjs';
import { answerAbout } from '../support/held-service.js';
import {
  DAMAGED,
  downloaded,
  FITTING,
  focused,
  FOREIGN,
  licenseFile,
  LIMIT,
  openHeldPage,
  openLicensePage,
  overflow,
  sample,
  violations,
} from '../support/license-page.js';

/** Whether an element is within the window, not under the head of the table. */
const isInView = (element: Locator) =>
  element.evaluate((node) => {
    const { top, bottom } = node.getBoundingClientRect();
    return top >= 20 && bottom <= innerHeight;
  });

const CLEAR_TEXT = [
  'Наименование продукта: 1С:Предприятие 8 ПРОФ. Клиентская лицензия на 5 рабочих мест',
  'Тип лицензии: клиент',
  'Срок действия: 31.12.2039',
  'Количество пользователей: 5',
];

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

const SMALL = { width: 1366, height: 768 };
const PHONE = { width: 390, height: 844 };

/** Opens a page with a list of which nothing is read. */
async function openList(viewport: { width: number; height: number }, count = 10) {
  const held = await openHeldPage({ viewport });
  await held.drop(fleet(count));
  await expect.poll(() => held.rows.count()).toBe(count);
  const { page } = held;
  return {
    ...held,
    details: page.locator('.details'),
    toggle: (index: number) => held.rows.nth(index).locator('td.column-product').click(),
    hasFocusInRow: () => page.evaluate(() => document.activeElement?.closest('.license') !== null),
  };
}

describe('the card of a single license', { tags: 'chromium' }, () => {
  it.each([
    [390, 'ru-RU'],
    [1366, 'en-US'],
    [1920, 'ru-RU'],
  ])('stands while it is read, at %i px in %s, and nothing in it moves', async (width, locale) => {
    const { page, service, choose } = await openHeldPage({ locale, viewport: { width, height: 900 } });
    let answer: () => void = () => undefined;
    service.respond = async (text) => {
      await new Promise<void>((resolve) => (answer = resolve));
      return answerAbout(text);
    };
    await choose(licenseFile(0, { clearText: CLEAR_TEXT }));
    const parts = page.locator('.license-card :is(.headline, h2, .fields dt)');
    await expect.poll(() => service.decodes.length).toBe(1);
    await parts.first().waitFor();
    const placesOf = () =>
      parts.evaluateAll((all) =>
        all.map((part) => {
          const { x, y, height } = part.getBoundingClientRect();
          return { text: part.textContent, x, y, height };
        }),
      );
    const places = await placesOf();
    answer();
    await page.locator('.license-card .digits').waitFor();
    // What only reading tells comes last.
    expect(await placesOf()).toEqual(expect.arrayContaining(places));
    expect(await page.locator('table').count()).toBe(0);
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
  });

  it('gives way to a table when another license comes, and comes back', async () => {
    const { page, choose, row } = await openLicensePage();
    await choose(sample(FOREIGN));
    await page.locator('.license-card .digits').waitFor();
    const facts = await page.locator('.license-card').innerText();
    expect(facts).toMatch(
      /^\d.* left\s+Expiry date: Dec 31.*PIN code\s+481-207-935-660-142\s+Owner\s+ООО "Ромашка"/s,
    );
    await choose(DAMAGED);
    await row('damaged.lic').waitFor();
    expect(await page.locator('.license-card, .details').count()).toBe(0);
    await page.getByLabel('Actions: damaged.lic').click();
    await page.getByRole('button', { name: 'Remove from the list' }).click();
    await expect.poll(() => page.locator('.license-card').innerText()).toBe(facts);
  });

  it('says once why a file was not read, with its name', async () => {
    const { page, choose } = await openLicensePage();
    await choose(DAMAGED);
    await page.locator('.license-card .problem').waitFor();
    expect(await page.locator('.license-card').innerText()).toMatch(
      /^Could not read: damaged\.lic\s+ring could not decode/,
    );
    const sentences = page.getByText(/^ring could not decode/);
    expect(await sentences.count()).toBe(1);
    expect(await violations(page)).toEqual([]);
  });
});

describe('the details of a license', { tags: 'chromium' }, () => {
  it.each([
    ['a screen', SMALL],
    ['a phone', PHONE],
  ])('open below their row on %s, in view, and close by a second press', async (_where, viewport) => {
    const { page, details, toggle, rows, hasFocusInRow } = await openList(viewport);
    await toggle(4);
    await details.waitFor();
    const row = await rows.nth(4).boundingBox();
    const place = await details.boundingBox();
    if (!row || !place) expect.unreachable('There is no row, or no details.');
    expect(Math.abs(place.y - row.y - row.height)).toBeLessThan(1);
    expect(place.x).toBe(row.x);
    expect(row.y).toBeGreaterThanOrEqual(0);
    expect(await hasFocusInRow()).toBe(true);
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await toggle(4);
    await expect.poll(() => details.count()).toBe(0);
  });

  it('close by Escape from a field in them, and give the focus back to their row', async () => {
    const { page, details, rows, button } = await openList(SMALL);
    await button(/^Get the 5/).click();
    await expect.poll(() => page.locator('.license.done').count()).toBe(LIMIT);
    const read = page.locator('.license.done').first();
    await read.locator('.column-product').click();
    const id = await page.locator('.license.open').getAttribute('data-id');
    await details.getByText('Activate again').click();
    await details.getByLabel('New PIN code').press('Escape');
    await expect.poll(() => details.count()).toBe(0);
    const focusedId = await page.evaluate(
      () => document.activeElement?.closest<HTMLElement>('.license')?.dataset['id'],
    );
    expect(focusedId).toBe(id);
    expect(await rows.count()).toBe(10);
  });

  it('of a row below take the place of those above, and the row stays under the pointer', async () => {
    const { details, toggle, rows } = await openList(SMALL, 40);
    await toggle(2);
    await details.waitFor();
    const pressed = rows.nth(12);
    await pressed.scrollIntoViewIfNeeded();
    const before = await pressed.boundingBox();
    await pressed.locator('td.column-product').click();
    await expect.poll(() => pressed.getAttribute('class')).toMatch(/\bopen\b/);
    const after = await pressed.boundingBox();
    expect(await details.count()).toBe(1);
    // It may only move up, as far as its details need room.
    expect(after?.y).toBeLessThanOrEqual((before?.y ?? 0) + 1);
    expect(await isInView(pressed)).toBe(true);
  });

  it('are reached by Tab from their row, and arrow keys in the table pass them by', async () => {
    const { page, details, rows } = await openList(SMALL);
    await rows.nth(2).locator('td.column-product').focus();
    await page.keyboard.press('Enter');
    await details.waitFor();
    await page.keyboard.press('ArrowDown');
    const focusedId = () =>
      page.evaluate(() => document.activeElement?.closest<HTMLElement>('.license')?.dataset['id']);
    expect(await focusedId()).toBe(await rows.nth(3).getAttribute('data-id'));
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.details') !== null)).toBe(true);
  });

  it('leave no entry in the history of the browser', async () => {
    const { page, details, toggle } = await openList(SMALL);
    const entries = await page.evaluate(() => history.length);
    await toggle(2);
    await details.waitFor();
    expect(await page.evaluate(() => history.length)).toBe(entries);
  });

  it('stay closed when a license that was left alone gets company', async () => {
    const { page, details, toggle, rows, drop } = await openList(SMALL, 2);
    await toggle(0);
    await details.waitFor();
    await rows.nth(1).locator('.row-menu-button').click();
    await page.getByRole('button', { name: 'Remove from the list' }).click();
    await page.locator('.license-card').waitFor();
    await drop(fleet(3).slice(2));
    await expect.poll(() => rows.count()).toBe(2);
    expect(await details.count()).toBe(0);
  });

  it('have the hardware, the whole answer, and what a new activation needs to be copied', async () => {
    const { page, choose, button } = await openLicensePage(CLIPBOARD);
    await choose(sample(FOREIGN));
    await page.getByText('Computer in the license').click();
    expect(await page.locator('.hardware').innerText()).toMatch(
      /Operating system\s+Windows.*34359738368 \(32 GB\)/s,
    );
    await page.getByText('Original output of ring').click();
    await page.getByText('the check ran on the server, not on your computer').waitFor();
    const { name, content } = await downloaded(page, button('Download JSON'));
    expect(name).toBe('20240115120000.json');
    expect(JSON.parse(content.toString())).toMatchObject({ structured: { pin: '481207935660142' } });

    await page.getByText('Activate again').click();
    await page.getByLabel('New PIN code').waitFor();
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    expect(await page.locator('.activation').innerText()).toMatch(
      /unused PIN code.*481-207-935-660-142.*Windows.*Мария/s,
    );
    await page.locator('.activation').getByLabel('Copy the PIN code 481-207-935-660-142').click();
    await expect.poll(clipboard).toBe('481-207-935-660-142');
    await button('Copy the data of the owner').click();
    await expect.poll(clipboard).toMatch(/^First name: Мария\nMiddle name: Сергеевна\nLast name: Ветрова\n/);
    expect(await page.locator('mark').allInnerTexts()).toEqual(['NEW-PIN']);
    const field = page.getByLabel('New PIN code');
    await field.fill('123');
    await page.getByText('A PIN code has 15 or 16 digits.').waitFor();
    await field.fill('481207935660142');
    await page.getByText('This is the PIN code of this license.').waitFor();
    expect(await page.locator('mark').allInnerTexts()).toEqual(['NEW-PIN']);
    await field.fill("123-456-789-012-345'; reboot #");
    await button('Copy the command for Windows').click();
    await expect.poll(clipboard).toMatch(/^ring license activate .* --pin "123456789012345" /);
    await button('Command for Linux').click();
    await button('Copy the command for Linux').click();
    await expect.poll(clipboard).toMatch(/^ring license activate .* --pin '123456789012345' /);
    await expect.poll(() => page.locator('mark').count()).toBe(0);
    // Copied before it is drawn.
    await page.getByLabel('New PIN code').evaluate((field: HTMLInputElement) => {
      field.value = '555555555555555';
      field.dispatchEvent(new Event('input', { bubbles: true }));
      document.querySelector<HTMLElement>('.command button')?.click();
    });
    await expect.poll(clipboard).toMatch(/--pin '555555555555555'/);
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('header.head').innerText()).toMatch(/ on \w+ \d+, \d{4}$/);
  });

  it('are copied without the clipboard API too, which browsers have only over HTTPS', async () => {
    const { page, choose, button } = await openLicensePage();
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await choose(sample(FITTING));
    const copy = page.locator('.fields').getByLabel('Copy the PIN code 7305-4418-2960-5172');
    await copy.click();
    await expect.poll(() => copy.getAttribute('title')).toBe('Copied');
    await page.evaluate('document.execCommand = () => false');
    await copy.click();
    await expect
      .poll(() => page.getByRole('status').allInnerTexts())
      .toContainEqual(expect.stringContaining('Not copied'));
    await button('Without a token').click();
    await expect.poll(() => focused(page)).toBe('');
    await page.keyboard.press('Control+V');
    expect(await page.getByLabel('Access token').inputValue()).toBe('7305-4418-2960-5172');
  });
});
