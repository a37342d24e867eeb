import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  DAMAGED,
  downloaded,
  FITTING,
  FOREIGN,
  openLicensePage,
  overflow,
  sample,
  violations,
} from '../support/license-page.js';

describe('the page', { tags: 'chromium' }, () => {
  it.each([
    [
      'ru-RU',
      'light',
      'просмотр лицензий 1С',
      /^ring не смог прочитать файл/,
      'Прочитано: 2, не удалось прочитать: 1',
    ],
    ['en-US', 'dark', '1C license viewer', /^ring could not decode the file/, 'Done: 2, failed: 1'],
  ] as const)(
    'reads three files, one of them damaged (%s, %s)',
    async (locale, colorScheme, title, error, outcome) => {
      const { page, complaints, foreign, choose, row } = await openLicensePage({}, { locale, colorScheme });
      expect(await page.title()).toBe(`License decoder: ${title}`);
      expect(await page.getAttribute('html', 'lang')).toBe(locale.slice(0, 2));
      await page.locator('.stand-in').waitFor();
      expect(await violations(page)).toEqual([]);

      await choose(sample(FOREIGN), DAMAGED, sample(FITTING));
      await page.getByText(outcome, { exact: true }).first().waitFor();
      expect(await page.title()).toBe(`License decoder: ${title}`);
      expect(await page.getByRole('status').allInnerTexts()).toContain(outcome);
      expect(await row(FOREIGN).locator('.digits').innerText()).toBe('481-207-935-660-142');
      expect(await row('damaged.lic').locator('.problem').innerText()).toMatch(error);
      expect(await violations(page)).toEqual([]);

      for (const width of [360, 768, 1280, 1920]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await overflow(page)).toBe(0);
        expect(await violations(page)).toEqual([]);
      }
      expect(complaints).toEqual([expect.stringContaining('status of 422')]);
      expect(foreign).toEqual([]);
    },
  );

  it('loads less than 40 kB, compressed as docs/deploy/nginx.conf says, and the rest on demand', async () => {
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
    expect(names.filter((name) => /excel|example/.test(name))).toEqual([]);
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(40_000);
  });

  it('changes its language without losing anything, errors included', async () => {
    const { page, url, choose, row } = await openLicensePage();
    await choose(sample(FOREIGN), DAMAGED);
    await page.getByText('Done: 1, failed: 1').first().waitFor();
    await page.getByLabel('Search').fill('.lic');
    await page.getByRole('link', { name: 'Русский' }).click();
    expect(await page.title()).toBe('License decoder: просмотр лицензий 1С');
    expect(await page.getAttribute('html', 'lang')).toBe('ru');
    expect(await page.getByLabel('Поиск').inputValue()).toBe('.lic');
    expect(await row(FOREIGN).locator('.verdict').innerText()).toMatch(
      /^Не соответствует компьютеру сервиса\./,
    );
    expect(await row('damaged.lic').locator('.problem').innerText()).toMatch(/^ring не смог прочитать файл/);
    expect(await violations(page)).toEqual([]);
    expect(page.url()).toBe(`${url}/?lang=ru`);
    await page.getByRole('link', { name: 'English' }).click();
    expect(await row('damaged.lic').locator('.problem').innerText()).toMatch(/^ring could not decode/);
  });

  it.each(['accept', 'dismiss'] as const)('asks before it is reloaded with results (%s)', async (answer) => {
    const { page, choose } = await openLicensePage();
    await page.reload();
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog[answer]();
    });
    await choose(sample(FOREIGN));
    // Browsers ask only for pages that someone has used.
    await page.getByLabel('Details').first().click();
    await page.evaluate(() => setTimeout(() => location.reload(), 0));
    await expect.poll(() => asked).toEqual(['beforeunload']);
    await expect.poll(() => page.locator('tbody.license').count()).toBe(answer === 'accept' ? 0 : 1);
  });

  it('copies the PIN code, marks what differs, shows gigabytes, and saves the answer', async () => {
    const { page, choose, row, button } = await openLicensePage(
      {},
      { permissions: ['clipboard-read', 'clipboard-write'] },
    );
    await choose(sample(FITTING), sample(FOREIGN));
    await row(FITTING).getByRole('button', { name: 'Copy: PIN code' }).click();
    await button('Copied: PIN code').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('7305-4418-2960-5172');
    const line = (name: string) => page.locator('.hardware tbody tr', { hasText: name });
    expect(await row(FITTING).locator(line('RAM')).innerText()).toMatch(/≠ differs[^]*1073741824 \(1 GB\)/);
    expect(await row(FITTING).locator(line('Computer name')).innerText()).not.toContain('≠');
    // Of a license for another computer all of it differs.
    expect(await row(FOREIGN).locator('.hardware').isVisible()).toBe(false);
    const { name, content } = await downloaded(
      page,
      row(FITTING).getByRole('button', { name: 'Download JSON' }),
    );
    expect(name).toBe('20250301090000.json');
    expect(JSON.parse(content.toString())).toMatchObject({ structured: { pin: '7305441829605172' } });
  });

  it('copies without the clipboard API, which browsers have only over HTTPS', async () => {
    const { page, choose, row, button } = await openLicensePage();
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await choose(sample(FITTING));
    await row(FITTING).getByRole('button', { name: 'Copy: PIN code' }).click();
    await button('Copied: PIN code').waitFor();
    await page.getByText('I have a token').click();
    await page.getByLabel('Access token').press('Control+V');
    expect(await page.getByLabel('Access token').inputValue()).toBe('7305-4418-2960-5172');
  });

  it('shows markup in file names and licenses as text', async () => {
    const { page, complaints, choose, row } = await openLicensePage();
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
    await choose(
      { name: `${markup}.lic`, text },
      { name: `=cmd\u202E${'y'.repeat(200)}.lic`, text: `${text}\n` },
    );
    await row('cmd').locator('.digits').waitFor();
    expect(await row(markup).locator('dd').first().innerText()).toBe(markup);
    expect(
      await page.locator('#page').locator('img:not([src="/icon.svg"]), script, svg, i, b, style, br').count(),
    ).toBe(0);
    await page.getByText('Original output of ring').first().click();
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 700 });
      expect(await overflow(page)).toBe(0);
    }
    expect(complaints).toEqual([]);
  });

  it('shows an example in the demo, whose licenses the stand-in reads', async () => {
    const { page, button } = await openLicensePage();
    await button('Show an example').click();
    await page
      .getByText(/^Done: \d+$/)
      .first()
      .waitFor();
    expect(await page.locator('tbody.license').count()).toBeGreaterThan(2);
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
