import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  DAMAGED,
  FITTING,
  FOREIGN,
  LIMIT,
  openLicensePage,
  overflow,
  sample,
  violations,
} from '../support/license-page.js';

describe('the page', { tags: 'chromium' }, () => {
  it('reads three files, one of them damaged; it is accessible in both color schemes', async () => {
    const { page, complaints, foreign, choose, row } = await openLicensePage({ locale: 'ru-RU' });
    const expectAccessible = async () => {
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await violations(page), colorScheme).toEqual([]);
      }
    };
    const title = 'License decoder: просмотр лицензий 1С';
    expect(await page.title()).toBe(title);
    expect(await page.getAttribute('html', 'lang')).toBe('ru');
    await page.locator('.stand-in').waitFor();
    await expectAccessible();

    await choose(sample(FOREIGN), DAMAGED, sample(FITTING));
    const outcome = 'Прочитано: 2, не удалось прочитать: 1';
    await page.getByText(outcome, { exact: true }).first().waitFor();
    await expect.poll(() => page.title()).toBe(title);
    expect(await page.getByRole('status').allInnerTexts()).toContain(outcome);
    expect(await row(FOREIGN).locator('td.column-pin').innerText()).toContain('481-207-935-660-142');
    expect(await row('damaged.lic').locator('.message').innerText()).toMatch('ring не смог');
    await expectAccessible();
    for (const width of [360, 800, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await overflow(page)).toBe(0);
    }
    expect(complaints).toEqual([expect.stringContaining('status of 422')]);
    expect(foreign).toEqual([]);
  });

  it('loads less than 45 kB, compressed as docs/deploy/nginx/nginx.conf says, and the rest on demand', async () => {
    const { page } = await openLicensePage();
    const names: string[] = [];
    const sizes: Promise<number>[] = [];
    page.on('response', (response) => {
      names.push(new URL(response.url()).pathname);
      const body = response.body().then((body) => gzipSync(body, { level: 5 }).length);
      // Of what was answered before the reload the body is gone.
      sizes.push(body.catch(() => 0));
    });
    await page.reload({ waitUntil: 'networkidle' });
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(names.some((name) => /^\/assets\/index-.*\.js$/.test(name))).toBe(true);
    expect(names.filter((name) => /columns|headers|read-sheet|example/.test(name))).toEqual([]);
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(45_000);
  });

  it('changes its language without losing anything; an error stays in the language in which it came', async () => {
    const { page, url, choose, row, changeLanguage } = await openLicensePage();
    expect(await page.title()).toBe('License decoder: 1C license viewer');
    await choose(sample(FOREIGN), DAMAGED);
    await page.getByText('Done: 1, failed: 1').first().waitFor();
    await page.getByRole('searchbox').fill('.lic');
    await changeLanguage();
    await expect.poll(() => page.title()).toBe('License decoder: просмотр лицензий 1С');
    expect(await page.getAttribute('html', 'lang')).toBe('ru');
    expect(await page.getByRole('searchbox').inputValue()).toBe('.lic');
    expect(await row(FOREIGN).locator('td.column-validUntil').innerText()).toContain('31.12.2026');
    const message = row('damaged.lic').locator('.message td');
    expect(await message.innerText()).toMatch(/^ring could not decode/);
    expect(await message.getAttribute('lang')).toBe('en');
    expect(page.url()).toBe(`${url}/?lang=ru`);
  });

  it('asks before it is reloaded with results', async () => {
    const { page, choose, rows } = await openLicensePage();
    await page.reload();
    let answer: 'accept' | 'dismiss' = 'dismiss';
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog[answer]();
    });
    await choose(sample(FOREIGN));
    // Browsers ask only for pages that someone has used.
    await page.getByRole('heading', { name: 'Licenses' }).click();
    await page.evaluate(() => setTimeout(() => location.reload(), 0));
    await expect.poll(() => asked).toEqual(['beforeunload']);
    expect(await rows()).toBe(1);
    answer = 'accept';
    const loaded = page.waitForEvent('load');
    await page.evaluate(() => setTimeout(() => location.reload(), 0));
    await loaded;
    expect(await rows()).toBe(0);
  });

  it('shows markup in file names and licenses as text', async () => {
    const { page, complaints, choose, row, button } = await openLicensePage();
    const markup = '<img src=x onerror=alert(1)>';
    const permit = {
      pin: '481207935660142',
      previousPin: '',
      customer: { company: markup, lastName: '=1+1' },
      product: {
        description: `<script>alert(1)</script>${'x'.repeat(300)}`,
        registrationNumber: '8100654321',
      },
      otherSections: { '<b>': { '<i>': '</pre><svg onload=alert(1)>' } },
      computer: { 'Computer name': markup, 'RAM<br>': '"><style>*{display:none}</style>' },
    };
    const text = `${Buffer.from(JSON.stringify(permit)).toString('base64')}\nСрок действия: ${markup}\n`;
    await choose({ name: `=cmd\u202E${'y'.repeat(200)}.lic`, text });
    await page.locator('.panel .digits').waitFor();
    expect(await row('cmd').locator('td.column-owner').innerText()).toBe(markup);
    expect(
      await page
        .locator('#page')
        .locator('img:not([src="/icon.svg"]), script, svg:not(.icon), i, b, style, br')
        .count(),
    ).toBe(0);
    for (const part of ['Original output of ring', 'Computer in the license', 'Activate again'])
      await page.getByText(part, { exact: true }).click();
    for (const width of [360, 800, 1280, 1600]) {
      await page.setViewportSize({ width, height: 700 });
      expect(await overflow(page)).toBe(0);
    }
    await button('Close: Details').click();
    expect(complaints).toEqual([]);
  });

  it('shows an example in the demo, whose licenses the stand-in reads', async () => {
    const { page, rows, button } = await openLicensePage();
    await button('Show an example').click();
    await page.getByText('Read 5', { exact: true }).waitFor();
    expect(await rows()).toBeGreaterThan(LIMIT);
  });

  it('tells a browser in words that there is no such page', async () => {
    const { page, url, complaints } = await openLicensePage();
    await page.goto(`${url}/licenses`);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'License decoder' }).click();
    await page.getByText('Choose license files').waitFor();
    expect(complaints).toEqual([expect.stringContaining('status of 404')]);
  });
});
