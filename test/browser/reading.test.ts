import jwt from 'jsonwebtoken';
import { describe, expect, it } from 'vitest';
import { fleet } from '../../scripts/bench/fleet.mjs';
import { focused, openHeldPage, openLicensePage, violations } from '../support/license-page.js';
import { SECRET } from '../support/page-service.js';

describe('reading', { tags: 'chromium' }, () => {
  it('takes a token that the service accepts, which is kept nowhere', async () => {
    const { page, complaints, useToken } = await openLicensePage();
    await useToken(jwt.sign({}, 'another secret of more than thirty-two bytes'));
    await page.getByText('The token is not valid for this service.').waitFor();
    expect(await violations(page)).toEqual([]);
    await useToken(`Bearer ${jwt.sign({}, SECRET)}`);
    await page.getByRole('status').getByText('Token accepted: no limit').waitFor();
    expect(await page.getByLabel('Access token').isVisible()).toBe(false);
    // The announcement may come before the button is drawn anew.
    await expect.poll(() => focused(page)).toBe('Token accepted: no limit');
    const kept = () => [localStorage.length, sessionStorage.length, document.cookie];
    expect(await page.evaluate(kept)).toEqual([0, 0, '']);
    expect(complaints).toEqual([]);
  });

  it('pauses without a network, is told once, and goes on by itself', async () => {
    const { page, drop } = await openHeldPage();
    await page.context().setOffline(true);
    await drop(fleet(3));
    await page.locator('.strip.broken').getByText('The service does not respond').waitFor();
    expect(await page.locator('.license .problem').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.context().setOffline(false);
    await expect.poll(() => page.locator('.license.done').count()).toBe(3);
    expect(await page.locator('.strip.broken').count()).toBe(0);
  });

  it.each(['ru-RU', 'en-US'])(
    'has all that the strip says within the strip at any width, in %s',
    async (locale) => {
      const { page, service, drop } = await openHeldPage({ locale });
      service.respond = () => ({ status: 503, body: { error: 'queue_full', message: 'Wait.' } });
      await drop(fleet(3));
      const strip = page.locator('.strip.broken');
      await strip.locator('button').first().waitFor();
      for (const width of [360, 800, 900, 1000, 1366]) {
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

  it('keeps the focus near when it is canceled and asked for again by the keyboard', async () => {
    const { page, service, drop, rows } = await openHeldPage();
    service.respond = () => new Promise(() => undefined);
    await drop(fleet(4));
    await page.getByText('reading…').waitFor();
    const row = rows.nth(2);
    await page.getByRole('button', { name: 'Cancel', exact: true }).press('Enter');
    await page.locator('#strip:focus').waitFor();
    await row.getByLabel('Get PIN code').press('Enter');
    await row.getByText('reading…').waitFor();
    await expect.poll(() => row.locator(':focus').count()).toBe(1);
  });
});
