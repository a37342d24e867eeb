import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import {
  DAMAGED,
  downloaded,
  FITTING,
  FOREIGN,
  openLicensePage,
  sample,
  violations,
} from '../support/license-page.js';

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

describe('the details of a license', { tags: 'chromium' }, () => {
  it('open by themselves for a single file, fit on a screen, and stay while rows come', async () => {
    const { page, choose, row } = await openLicensePage({ viewport: { width: 1600, height: 800 } });
    await choose(sample(FOREIGN));
    const panel = page.locator('.panel');
    await panel.getByText('481-207-935-660-142').waitFor();
    expect((await panel.boundingBox())?.height).toBeLessThan(800);
    expect((await panel.innerText()).match(/481-207-935-660-142/g)).toHaveLength(1);
    expect(await panel.innerText()).toContain(
      'Does not match the computer of this service, which is normal.',
    );
    await choose({ ...sample(FITTING), name: FOREIGN });
    await panel.getByText('7305-4418-2960-5172').waitFor();
    await choose(sample(FITTING), DAMAGED);
    await row('damaged.lic').waitFor();
    await expect.poll(() => panel.count()).toBe(0);
    await row(FITTING).locator('td.column-owner').click();
    await panel.getByText('Matches the computer of this service.').waitFor();
    const before = await panel.boundingBox();
    await row('damaged.lic').hover();
    await page.getByLabel('Remove from the list: damaged.lic').click();
    await expect.poll(() => row('damaged.lic').count()).toBe(0);
    expect(await panel.boundingBox()).toEqual(before);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => panel.count()).toBe(0);
  });

  it('lie over the table of a smaller screen, take the focus, and give it back', async () => {
    const { page, choose, row } = await openLicensePage({ viewport: { width: 1280, height: 720 } });
    await choose(sample(FOREIGN), DAMAGED);
    await page.getByText('Done: 1, failed: 1').first().waitFor();
    await row('damaged.lic').locator('.message').click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('panel');
    expect(await page.locator('.panel .problem').innerText()).toMatch(/^ring could not decode/);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.closest('table')?.className)).toContain(
      'licenses',
    );
  });

  it('have the hardware of the license, what differs on request, and the whole answer', async () => {
    const { page, choose, button } = await openLicensePage({});
    await choose(sample(FITTING));
    await page.getByText('Computer in the license').click();
    const hardware = page.locator('.hardware');
    expect(await hardware.innerText()).toContain('1073741824 (1 GB)');
    expect(await hardware.locator('.current').count()).toBe(0);
    await page.getByLabel('Compare with the computer of the service').check();
    await hardware.locator('div', { hasText: 'RAM' }).locator('.current').waitFor();
    expect(await hardware.locator('.current').innerText()).toMatch(
      /^Computer of the service: (?!1073741824)\d+ \(/,
    );
    expect(await hardware.locator('div', { hasText: 'Computer name' }).locator('.current').count()).toBe(0);
    await page.getByText('Original output of ring').click();
    const { name, content } = await downloaded(page, button('Download JSON'));
    expect(name).toBe('20250301090000.json');
    expect(JSON.parse(content.toString())).toMatchObject({ structured: { pin: '7305441829605172' } });
  });

  it('have what a new activation needs: the owner to copy, and commands that reach ring as they were meant', async () => {
    const { page, choose, button } = await openLicensePage(CLIPBOARD);
    await choose(sample(FOREIGN));
    await page.getByText('Activate again').click();
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await button('Copy: Company').click();
    await expect.poll(clipboard).toBe('ООО "Ромашка"');
    await button('Copy: Copy all').click();
    await expect.poll(clipboard).toMatch(/^First name: Мария\nMiddle name: Сергеевна\nLast name: Ветрова\n/);
    await button('Copy: Command for Windows').click();
    await expect.poll(clipboard).toContain(String.raw` --company "ООО \"Ромашка\"" --country `);
    await button('Copy: Command for Linux').click();
    await expect.poll(clipboard).toMatch(/ --company 'ООО "Ромашка"' /);
    const script = `ring() { printf '%s\\n' "$@"; }\n${await clipboard()}`;
    const read = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n');
    expect(read.slice(0, 4)).toEqual(['license', 'activate', '--first-name', 'Мария']);
    expect(read.slice(-7)).toEqual([
      ...['--serial', '8100654321', '--pin', 'NEW-PIN', '--previous-pin', '481207935660142'],
      '--validate',
    ]);
    expect(await page.locator('mark').allInnerTexts()).toEqual(['NEW-PIN', 'NEW-PIN']);
    expect(await violations(page)).toEqual([]);
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
    await button('I have a token').click();
    await page.getByLabel('Access token').click();
    await page.keyboard.press('Control+V');
    expect(await page.getByLabel('Access token').inputValue()).toBe('7305-4418-2960-5172');
  });
});
