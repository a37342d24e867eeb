import jwt from 'jsonwebtoken';
import { describe, expect, it } from 'vitest';
import { fleet } from '../../scripts/bench/fleet.mjs';
import {
  FITTING,
  focused,
  FOREIGN,
  openHeldPage,
  openLicensePage,
  sample,
  SECRET,
  violations,
} from '../support/license-page.js';

describe('reading', { tags: 'chromium' }, () => {
  it('goes on beyond the limit with a token that the service accepts, which is kept nowhere', async () => {
    const { page, complaints, choose, drop, useToken, button } = await openLicensePage({ locale: 'ru-RU' });
    await page.getByText('Без токена: 5 файлов в час').waitFor();
    await drop(fleet(6));
    await page.getByText('У 6 лицензий ещё неизвестны пин-код и владелец.').waitFor();
    await useToken(jwt.sign({}, 'another secret of more than thirty-two bytes'));
    await page.getByText('Токен не подходит к этому серверу.').waitFor();
    // Nothing was read for it.
    await page.getByText('У 6 лицензий ещё неизвестны пин-код и владелец.').waitFor();
    expect(await page.getByText('Токен принят').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await button('Другие действия').click();
    await button('Очистить список').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Очистить список' }).click();
    await useToken(`Bearer ${jwt.sign({}, SECRET)}`);
    await button('Токен принят: лимита нет').waitFor();
    await page.getByRole('status').getByText('Токен принят: лимита нет').waitFor();
    await choose(sample(FOREIGN), sample(FITTING));
    await page.getByText('пин-коды: 2 из 2').waitFor();
    expect(await page.getByLabel('Токен доступа').isVisible()).toBe(false);
    expect(await focused(page)).toBe('Токен принят: лимита нет');
    await button('Токен принят').click();
    await button('Убрать токен').click();
    await page.getByText('Без токена: 5 файлов в час').waitFor();
    expect(complaints).toEqual([]);
    const kept = () => [localStorage.length, sessionStorage.length, document.cookie];
    expect(await page.evaluate(kept)).toEqual([0, 0, '']);
  });

  it('pauses without a network, is told once, and goes on by itself', async () => {
    const { page, drop } = await openHeldPage();
    await page.context().setOffline(true);
    await drop(fleet(3));
    await page.locator('.strip.broken').getByText('The service does not answer.').waitFor();
    expect(await page.locator('.license .problem').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.context().setOffline(false);
    await page.getByText('PIN codes: 3 of 3').waitFor();
    expect(await page.locator('.strip.broken').count()).toBe(0);
  });

  it.each(['ru-RU', 'en-US'])(
    'has all that the strip says within the strip at any width, in %s',
    async (locale) => {
      const { page, service, drop } = await openHeldPage({ locale });
      service.respond = () => ({ status: 503, body: { error: 'queue_full', message: 'Wait.' } });
      await drop(fleet(3));
      const strip = page.locator('.strip.broken');
      await strip.getByRole('link').waitFor();
      for (const width of [360, 732, 800, 1000, 1366]) {
        await page.setViewportSize({ width, height: 800 });
        const outside = await strip.evaluate((element) => {
          const { top, right, bottom } = element.getBoundingClientRect();
          const parts = [...element.querySelectorAll('p, a, button, progress')];
          return parts
            .filter((part) => part.checkVisibility())
            .map((part) => part.getBoundingClientRect())
            .filter((part) => part.top < top || part.bottom > bottom || part.right > right).length;
        });
        expect(outside, `at ${width} px`).toBe(0);
      }
    },
  );

  it('is canceled and asked for again by the keyboard, and the focus stays near', async () => {
    const { page, service, drop, button, rows } = await openHeldPage();
    service.respond = () => new Promise(() => undefined);
    await drop(fleet(4).map((file, index) => ({ ...file, name: `${index}.lic`, folder: '' })));
    await page.getByText('reading…').waitFor();
    await rows.nth(2).locator('.column-actions button').press('Enter');
    await page.getByRole('button', { name: 'Do not read this file' }).press('Enter');
    await expect.poll(() => focused(page)).toMatch(/^Actions: \d\.lic$/);
    service.respond = () => ({ status: 500, body: { error: 'internal_error', message: 'Failed.' } });
    await page.getByRole('button', { name: 'Cancel', exact: true }).press('Enter');
    await expect.poll(() => page.getByRole('button', { name: /^Get PIN code: / }).count()).toBe(4);
    expect(await focused(page)).not.toBe('body');
    await button('Get 4 PIN codes').click();
    await page.getByText('4 files could not be read').waitFor();
    await button('Errors 4').click();
    service.respond = () => ({ status: 422, body: { error: 'license_undecodable', message: 'Damaged.' } });
    await button('Retry all failed').press('Enter');
    await expect.poll(() => page.getByText(/^ring could not decode/).count()).toBe(4);
    expect(await focused(page)).not.toBe('body');
    expect(await rows.count()).toBe(4);
  });
});
