import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fleet } from '../../scripts/bench/fleet.mjs';
import { answerAbout, REJECTED } from '../support/held-service.js';
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

/** A width from which the details are beside the table, and one at which they lie over it. */
const BESIDE = { width: 1600, height: 800 };
const OVER = { width: 1366, height: 768 };

/** Opens a page with a list of which nothing is read. */
async function openList(viewport: { width: number; height: number }, count = 10) {
  const held = await openHeldPage({ viewport });
  await held.drop(fleet(count));
  await expect.poll(() => held.rows.count()).toBe(count);
  const { page } = held;
  return {
    ...held,
    panel: page.locator('.panel'),
    open: (index: number) => held.rows.nth(index).locator('td.column-product').click(),
    hasFocusInRow: () => page.evaluate(() => document.activeElement?.closest('.license.open') !== null),
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
    expect(await placesOf()).toEqual(places);
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
    expect(await page.locator('.license-card, .panel').count()).toBe(0);
    await page.getByLabel('Actions: damaged.lic').click();
    await page.getByRole('button', { name: 'Remove from the list' }).click();
    await expect.poll(() => page.locator('.license-card').innerText()).toBe(facts);
  });

  it('says once why a file was not read, with its name', async () => {
    const { page, choose } = await openLicensePage();
    await choose(DAMAGED);
    await page.locator('.license-card .problem').waitFor();
    expect(await page.locator('.license-card').innerText()).toMatch(
      /^Failed: damaged\.lic\s+ring could not decode/,
    );
    const sentences = page.getByText(/^ring could not decode/);
    expect(await sentences.count()).toBe(1);
    expect(await violations(page)).toEqual([]);
  });
});

describe('the details of a license', { tags: 'chromium' }, () => {
  it('lie over the table of a smaller screen, take the focus, and give it back', async () => {
    const { page, choose, row } = await openLicensePage({ viewport: OVER });
    await choose(sample(FOREIGN), DAMAGED);
    await page
      .getByText(/^1 of 2 read[.] Failed: /)
      .first()
      .waitFor();
    await row('damaged.lic').locator('.column-product').click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toContain('panel');
    expect(await page.locator('.panel .problem').innerText()).toMatch(
      /^Failed: damaged\.lic\s+ring could not decode/,
    );
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.closest('table')?.className)).toContain(
      'licenses',
    );
  });

  it('over the table leave all above it to the pointer and the keyboard', async () => {
    const { page, panel, open, button } = await openList(OVER);
    await open(2);
    await panel.waitFor();
    for (const name of ['Without a token', 'Excel', 'More actions']) {
      await button(name).click();
      await page.keyboard.press('Escape');
    }
    await page.locator('#search').fill('lic');
    await button('Excel').press('Enter');
    await expect.poll(() => focused(page)).toBe('Export 10 to Excel');
    expect(await panel.count()).toBe(1);
    const top = (await panel.boundingBox())?.y;
    expect(top).toBe((await page.locator('.table').boundingBox())?.y);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect.poll(() => panel.count()).toBe(0);
  });

  it('and a menu over them close by Escape one after the other, the menu first', async () => {
    const { page, service, panel, open, button, useToken } = await openList(OVER);
    const expectMenuFirst = async (id: string) => {
      const menu = page.locator(`#${id}`);
      await menu.waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => menu.isVisible()).toBe(false);
      expect(await panel.count()).toBe(1);
      await page.keyboard.press('Escape');
      await expect.poll(() => panel.count()).toBe(0);
    };
    await open(2);
    await button('Excel').click();
    // A press on a text takes the focus out of the menu.
    await page.locator('#excel-menu .hint').first().click();
    await expectMenuFirst('excel-menu');

    const answer = Promise.withResolvers<undefined>();
    service.respond = async (text) => {
      await answer.promise;
      return { ...answerAbout(text), headers: REJECTED };
    };
    await useToken();
    await expect.poll(() => service.decodes.length).toBeGreaterThan(0);
    await open(2);
    await panel.waitFor();
    // The menu opens by itself, and the focus stays in the details.
    answer.resolve(undefined);
    await expectMenuFirst('token-menu');
  });

  it('close by Escape from a field in them', async () => {
    const { page, panel, button } = await openList(OVER);
    await button(/^Read the 5/).click();
    await expect.poll(() => page.locator('.license.done').count()).toBe(LIMIT);
    await page.locator('.license.done .column-product').first().click();
    await panel.getByText('Activate again').click();
    await panel.getByLabel('New PIN code').press('Escape');
    await expect.poll(() => panel.count()).toBe(0);
  });

  it('close when the keyboard leaves them for what they cover', async () => {
    const { page, panel, open } = await openList(OVER);
    await open(2);
    await panel.waitFor();
    await page.keyboard.press('Shift+Tab');
    await expect.poll(() => panel.count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.closest('table') !== null)).toBe(true);
  });

  it.each([
    ['over the table', OVER],
    ['on a phone', { width: 390, height: 844 }],
    ['beside the table', BESIDE],
  ])(
    '%s close by Back and open by Forward, and other ways to close them leave no entry',
    async (_where, viewport) => {
      const { page, panel, open, rows } = await openList(viewport);
      const entries = () => page.evaluate(() => history.length);
      const before = await entries();
      await open(2);
      await panel.waitFor();
      const label = await panel.getAttribute('aria-label');
      await page.goBack();
      await expect.poll(() => panel.count()).toBe(0);
      expect(await rows.count()).toBe(10);
      await page.goForward();
      await expect.poll(() => panel.getAttribute('aria-label')).toBe(label);
      await page.keyboard.press('Escape');
      await expect.poll(() => panel.count()).toBe(0);
      // Closed and opened at once, before the browser has gone back.
      await open(3);
      await panel.waitFor();
      await page.keyboard.press('Escape');
      await page.evaluate(() => document.querySelectorAll<HTMLElement>('.license')[4]?.click());
      await panel.waitFor();
      await page.getByRole('button', { name: 'Close the details' }).click();
      await expect.poll(() => panel.count()).toBe(0);
      await expect.poll(() => page.evaluate(() => history.state as unknown)).toBe(null);
      expect(await entries()).toBe(before + 1);
    },
  );

  it('over the table give the focus back to their row when Back closes them', async () => {
    const { page, panel, open, rows } = await openList(OVER);
    const id = await rows.nth(2).getAttribute('data-id');
    await open(2);
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toContain('panel');
    await page.goBack();
    await expect.poll(() => panel.count()).toBe(0);
    const focusedId = () =>
      page.evaluate(() => document.activeElement?.closest<HTMLElement>('.license')?.dataset['id']);
    expect(await focusedId()).toBe(id);
  });

  it('stay closed when a license that was left alone gets company', async () => {
    const { page, panel, open, rows, drop } = await openList(BESIDE, 2);
    await open(0);
    await panel.waitFor();
    await rows.nth(1).locator('.row-menu-button').click();
    await page.getByRole('button', { name: 'Remove from the list' }).click();
    await page.locator('.license-card').waitFor();
    await drop(fleet(3).slice(2));
    await expect.poll(() => rows.count()).toBe(2);
    expect(await panel.count()).toBe(0);
  });

  it('leave no entry that does nothing when the page is reloaded', async () => {
    const { page, panel, open } = await openList(OVER);
    page.on('dialog', (dialog) => void dialog.accept());
    await open(2);
    await panel.waitFor();
    await page.reload();
    await expect.poll(() => page.evaluate(() => history.state as unknown)).toBe(null);
  });

  it('beside a long table change with the arrow keys, and the license stays in view', async () => {
    const { page, panel, rows } = await openList(BESIDE, 200);
    const row = rows.nth(120);
    await row.locator('td.column-product').click();
    await panel.waitFor();
    await expect.poll(() => isInView(row)).toBe(true);
    for (const key of ['ArrowDown', 'PageDown', 'ArrowUp']) await page.keyboard.press(key);
    const open = page.locator('.license').nth(130);
    await expect.poll(() => open.getAttribute('class')).toMatch(/\bopen\b/);
    expect(await isInView(open)).toBe(true);
    const file = await open.locator('td.column-file').textContent();
    expect(await panel.getAttribute('aria-label')).toBe(`Details: ${file}`);
  });

  it('beside a long table leave the row in the window to which the keys have led when Escape closes them', async () => {
    const { page, panel, open, rows } = await openList(BESIDE, 200);
    await expect.poll(() => rows.count()).toBe(200);
    await open(5);
    await panel.waitFor();
    // Chromium notes with a delay how far an entry was scrolled. Too short a wait would only hide a fault.
    const NOTED_MS = 600;
    await page.waitForTimeout(NOTED_MS);
    for (let pages = 0; pages < 3; pages++) await page.keyboard.press('PageDown');
    const row = rows.nth(35);
    await expect.poll(() => row.getAttribute('class')).toMatch(/\bopen\b/);
    expect(await isInView(row)).toBe(true);
    await page.waitForTimeout(NOTED_MS);
    await page.keyboard.press('Escape');
    await expect.poll(() => panel.count()).toBe(0);
    await expect.poll(() => page.evaluate(() => history.state as unknown)).toBe(null);
    expect(await isInView(row)).toBe(true);
  });

  it('close instead of following the table when the window has become so narrow that they lie over it', async () => {
    const { page, panel, open } = await openList(BESIDE);
    await open(2);
    const label = () => panel.getAttribute('aria-label');
    const opened = await label();
    await page.keyboard.press('ArrowDown');
    await expect.poll(label).not.toBe(opened);
    const next = await label();
    await page.setViewportSize(OVER);
    expect(await label()).toBe(next);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => panel.count()).toBe(0);
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
      /unused PIN code.*481-207-935-660-142.*Windows.*Linux.*Мария/s,
    );
    await page.locator('.activation').getByLabel('Copy the PIN code 481-207-935-660-142').click();
    await expect.poll(clipboard).toBe('481-207-935-660-142');
    await button('Copy the data of the owner').click();
    await expect.poll(clipboard).toMatch(/^First name: Мария\nMiddle name: Сергеевна\nLast name: Ветрова\n/);
    expect(await page.locator('mark').allInnerTexts()).toEqual(['NEW-PIN', 'NEW-PIN']);
    await page.getByLabel('New PIN code').fill("123-456-789'; reboot #");
    await page.keyboard.press('Escape');
    await button('Copy the command for Windows').click();
    await expect.poll(clipboard).toMatch(/^ring license activate .* --pin "123456789" /);
    await button('Copy the command for Linux').click();
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
