import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import jwt from 'jsonwebtoken';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { spawnService } from '../support/spawned-service.js';
import { tempDirectory } from '../support/temp.js';

const DEMO = resolve(import.meta.dirname, '../../scripts/demo-ring');
const FOREIGN = '20240115120000.lic';
const FITTING = '20250301090000.lic';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SECRET = 'a secret of more than thirty-two bytes';

const file = (name: string, text: string | Buffer) => ({ name, mimeType: '', buffer: Buffer.from(text) });
const sample = (name: string) => file(name, readFileSync(join(DEMO, 'samples', name)));
const DAMAGED = file('damaged.lic', 'bGljZW5zZQ==\n');

async function open(settings: Record<string, string> = {}, options: BrowserContextOptions = {}) {
  const service = await spawnService({ RING_CMD: join(DEMO, 'ring'), ...settings });
  const browser = await openBrowser(service.url, { locale: 'en-US', ...options });
  await browser.page.goto(service.url);
  return { ...browser, url: service.url };
}

const choose = (page: Page, ...files: ReturnType<typeof file>[]) =>
  page.locator('#files').setInputFiles(files);
const card = (page: Page, name: string) => page.getByRole('article', { name });

/** Runs axe-core with all its rules, best practices among them. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(`axe.run().then(({ violations }) => violations.map(
    ({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
}

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function downloaded(page: Page, button: string): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

describe('the page', { tags: 'chromium' }, () => {
  it.each([
    ['ru-RU', 'light', 'Просмотр лицензий 1С', /^ring не смог прочитать файл/, 'Скачать всё в CSV'],
    ['en-US', 'dark', '1C license viewer', /^ring could not decode the file/, 'Download all as CSV'],
  ] as const)(
    'reads three files, one of them damaged (%s, %s)',
    async (locale, colorScheme, title, error, csv) => {
      const { page, complaints, foreign } = await open({}, { locale, colorScheme });
      const sizes: Promise<number>[] = [];
      page.on('response', (response) => {
        // Of what was answered before the reload the body is gone.
        const body = response.body().catch(() => []);
        sizes.push(body.then(({ length }) => length));
      });
      await page.reload({ waitUntil: 'networkidle' });
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      expect(bytes).toBeGreaterThan(20_000);
      expect(bytes).toBeLessThan(40 * 1024);
      expect(await page.isVisible('#stand-in')).toBe(true);
      expect(await page.title()).toBe(title);
      expect(await page.getAttribute('html', 'lang')).toBe(locale.slice(0, 2));
      expect(await violations(page)).toEqual([]);

      await choose(page, sample(FOREIGN), DAMAGED, sample(FITTING));
      await card(page, FITTING).locator('.digits').waitFor();
      expect(await card(page, FOREIGN).locator('.digits').innerText()).toBe('481-207-935-660-142');
      expect(await card(page, 'damaged.lic').locator('.problem').innerText()).toMatch(error);
      expect(await violations(page)).toEqual([]);
      const { name, text } = await downloaded(page, csv);
      expect(name).toBe('licenses.csv');
      expect(text.split('\r\n')).toEqual([
        expect.stringMatching(/^\uFEFF[^;]+(?:;[^;]+){9}$/),
        expect.stringMatching(
          /^20240115120000\.lic;481-207-935-660-142;"ООО ""Ромашка""";.*;20;8100654321;2026-12-31;/,
        ),
        expect.stringMatching(/^damaged\.lic;;;;;;;;/),
        expect.stringMatching(
          /^20250301090000\.lic;7305-4418-2960-5172;Steppe Wind LLP;.*;5;20007716543;2035-03-01;/,
        ),
        '',
      ]);

      await page.setViewportSize({ width: 360, height: 700 });
      expect(await overflow(page)).toBe(0);
      expect(await violations(page)).toEqual([]);
      expect(complaints).toEqual([expect.stringContaining('status of 422')]);
      expect(foreign).toEqual([]);
    },
  );

  it('changes its language without losing results', async () => {
    const { page, url } = await open();
    await choose(page, sample(FOREIGN), sample(FITTING));
    await card(page, FITTING).locator('.digits').waitFor();
    await page.getByRole('link', { name: 'Русский' }).click();
    expect(await page.title()).toBe('Просмотр лицензий 1С');
    expect(await page.getAttribute('html', 'lang')).toBe('ru');
    expect(await card(page, FITTING).locator('.verdict').innerText()).toBe(
      'Подходит к компьютеру этого сервиса.',
    );
    expect(await page.getByRole('columnheader', { name: 'Владелец' }).count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    await page.reload();
    expect(page.url()).toBe(`${url}/?lang=ru`);
    expect(await page.title()).toBe('Просмотр лицензий 1С');
    await page.getByRole('link', { name: 'English' }).click();
    expect(await page.title()).toBe('1C license viewer');
  });

  it('copies the PIN code, marks what differs, and saves the answer', async () => {
    const { page } = await open({}, { permissions: ['clipboard-read', 'clipboard-write'] });
    await choose(page, sample(FITTING));
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('7305-4418-2960-5172');
    const row = (name: string) => page.locator('tr', { has: page.getByRole('rowheader', { name }) });
    expect(await row('RAM').innerText()).toContain('≠ differs');
    expect(await row('Computer name').innerText()).not.toContain('≠');
    const { name, text } = await downloaded(page, 'Download JSON');
    expect(name).toBe('20250301090000.json');
    expect(JSON.parse(text)).toMatchObject({ structured: { pin: '7305441829605172' } });
  });

  it('takes dropped files, and sorts the table by the keyboard', async () => {
    const { page } = await open();
    const names = ['b10.lic', 'a.lic', 'b9.lic'];
    const dataTransfer = await page.evaluateHandle((names) => {
      const transfer = new DataTransfer();
      for (const name of names) transfer.items.add(new File([], name));
      return transfer;
    }, names);
    await page.dispatchEvent('body', 'drop', { dataTransfer });
    const files = () => page.locator('.summary td:first-child').allInnerTexts();
    expect(await files()).toEqual(names);
    const sort = page.getByRole('button', { name: 'File', exact: true });
    for (const [order, expected] of [
      ['ascending', ['a.lic', 'b9.lic', 'b10.lic']],
      ['descending', ['b10.lic', 'b9.lic', 'a.lic']],
    ] as const) {
      await sort.press('Enter');
      expect(await files()).toEqual(expected);
      expect(await page.locator('th', { has: sort }).getAttribute('aria-sort')).toBe(order);
      expect(await sort.evaluate((element) => element === document.activeElement)).toBe(true);
    }
  });

  it('does not send what the service would refuse, which would count towards the limit', async () => {
    const { page } = await open({ RATE_LIMIT_MAX: '0' });
    await choose(
      page,
      file('license.txt', 'x'),
      file('empty.lic', ''),
      file('big.lic', Buffer.alloc(5_242_881)),
    );
    await card(page, 'big.lic').locator('.problem').waitFor();
    expect(await page.locator('.problem').allInnerTexts()).toEqual([
      '',
      'This is not a .lic file. Choose another one.',
      'The file is empty. Choose the original.',
      'More than 5 MB: not a license file.',
    ]);
  });

  it('waits at the limit, says why a token is not accepted, and continues with a valid one', async () => {
    const { page, complaints } = await open({ RATE_LIMIT_MAX: '1', JWT_SECRET: SECRET }, { locale: 'ru-RU' });
    await choose(page, sample(FOREIGN), sample(FITTING));
    await page.getByRole('heading', { name: 'Лимит исчерпан' }).waitFor();
    expect(await page.locator('#quota').innerText()).toMatch(
      /^Осталось 0 из 1, лимит обновится в \d\d:\d\d$/,
    );
    expect(await page.locator('#pause-text').innerText()).toMatch(
      /^Осталось прочитать файлов: 1\. Продолжить можно в \d\d:\d\d, через \d+ минут/,
    );
    expect(await page.getByLabel('Продолжить автоматически').isChecked()).toBe(true);
    expect(await violations(page)).toEqual([]);

    const enter = async (token: string) => {
      await page.getByLabel('Токен доступа').fill(token);
      await page.getByRole('button', { name: 'Применить' }).click();
    };
    await enter(jwt.sign({ exp: 1 }, SECRET));
    await page.getByText('Токен не принят: срок его действия истёк.').waitFor();
    await enter('ключ');
    await page.getByText('Токен не принят: он повреждён').waitFor();
    expect(await violations(page)).toEqual([]);
    await enter(`Bearer ${jwt.sign({}, SECRET)}`);
    await card(page, FITTING).locator('.digits').waitFor();
    expect(await page.getByRole('heading', { name: 'Лимит исчерпан' }).count()).toBe(0);
    expect(await page.locator('#quota').innerText()).toBe('С вашим токеном лимит не действует');
    expect(complaints.filter((text) => !text.includes('status of 429'))).toEqual([]);
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie])).toEqual([
      0,
      0,
      '',
    ]);
  });

  it('continues by itself when the limit is renewed', async () => {
    const { page } = await open({ RATE_LIMIT_MAX: '1', RATE_LIMIT_WINDOW_SECONDS: '3' });
    await choose(page, sample(FOREIGN), sample(FITTING));
    await card(page, FITTING).locator('.digits').waitFor();
    expect(await page.locator('#pause').isVisible()).toBe(false);
  });

  it('cancels the file that is read, one that waits, and all', async () => {
    const directory = await tempDirectory();
    const ring = join(directory, 'ring');
    writeFileSync(
      ring,
      `#!/bin/sh\nwhile [ ! -e '${directory}/go' ]; do sleep 0.1; done\nexec '${DEMO}/ring' "$@"\n`,
    );
    chmodSync(ring, 0o755);
    const { page } = await open({ RING_CMD: ring, RATE_LIMIT_MAX: '9' });
    const names = ['1.lic', '2.lic', '3.lic', '4.lic'];
    await choose(page, ...names.map((name) => ({ ...sample(FITTING), name })));
    const states = () => page.locator('#cards .state').allInnerTexts();
    await card(page, '1.lic').getByText('Reading…').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel: 2.lic' }).click();
    await page.getByRole('button', { name: 'Cancel: 1.lic' }).click();
    await card(page, '3.lic').getByText('Reading…').waitFor();
    expect(await states()).toEqual(['Canceled', 'Canceled', 'Reading…', 'Waiting']);
    await page.getByRole('button', { name: 'Cancel all' }).click();
    expect(await states()).toEqual(['Canceled', 'Canceled', 'Canceled', 'Canceled']);
    expect(await violations(page)).toEqual([]);
    writeFileSync(join(directory, 'go'), '');
    await page.getByRole('button', { name: 'Try again: 2.lic' }).click();
    await card(page, '2.lic').locator('.digits').waitFor();
  });

  it('shows markup in file names and licenses as text', async () => {
    const { page, complaints } = await open();
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
    await choose(page, file(`${markup}.lic`, text), file(`=cmd\u202E${'y'.repeat(200)}.lic`, text));
    await card(page, 'cmd').locator('.digits').waitFor();
    expect(await page.locator('h3').first().innerText()).not.toBe('');
    expect(await card(page, markup).locator('dd').first().innerText()).toBe(markup);
    expect(await page.locator('img, script:not([src]), svg, i, b, style, br').count()).toBe(0);
    await page.getByText('Original output of ring').first().click();
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 700 });
      expect(await overflow(page)).toBe(0);
    }
    expect((await downloaded(page, 'Download all as CSV')).text).toContain("\r\n'=cmd");
    expect(complaints).toEqual([]);
  });

  it('prints the table, then each license on one page, with nothing cut', async () => {
    const { page } = await open();
    await choose(page, sample(FOREIGN), DAMAGED, sample(FITTING));
    await card(page, FITTING).locator('.digits').waitFor();
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(3);
    // An A4 page without its margins of 14 mm, at 96 pixels per inch.
    await page.setViewportSize({ width: Math.floor(((210 - 28) / 25.4) * 96), height: 1000 });
    await page.emulateMedia({ media: 'print' });
    expect(await overflow(page)).toBe(0);
    const cut = await page
      .locator('td, th, dd')
      .evaluateAll((cells) =>
        cells
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map(({ textContent }) => textContent),
      );
    expect(cut).toEqual([]);
  });
});
