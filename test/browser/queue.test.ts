import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import { describe, expect, it } from 'vitest';
import { print } from '../support/fake-ring.js';
import { copies, focused, openLicensePage, SECRET, STAND_IN, violations } from '../support/license-page.js';
import { freePort } from '../support/servers.js';
import { startTestService } from '../support/service.js';
import { spawnService } from '../support/spawned-service.js';
import { tempDirectory } from '../support/temp.js';

/** A ring that waits until it is let go. */
async function heldRing(): Promise<{ ring: string; letGo: () => void }> {
  const directory = await tempDirectory();
  const ring = join(directory, 'ring');
  const isHeld = `[ "$1" = license -o "$1" = -l ] && [ ! -e '${directory}/go' ]`;
  writeFileSync(ring, `#!/bin/sh\nwhile ${isHeld}; do sleep 0.1; done\nexec '${STAND_IN}' "$@"\n`);
  chmodSync(ring, 0o755);
  return { ring, letGo: () => writeFileSync(join(directory, 'go'), '') };
}

describe('the limit', { tags: 'chromium' }, () => {
  it('says why a token is not accepted, accepts one only when the service has, and reads everything', async () => {
    const { page, complaints, drop, useToken, button } = await openLicensePage({ locale: 'ru-RU' });
    await page.getByText('Без токена пин-код и владельца можно прочитать у 5 файлов в час').waitFor();
    await drop(copies(6));
    await page.getByText(/сейчас до 5 файлов/).waitFor();
    await useToken('ключ');
    await page.getByText('Токен не принят: он скопирован не полностью').waitFor();
    // Each of these costs a decode.
    await useToken(jwt.sign({ exp: 1 }, SECRET));
    await page.getByText('Токен не принят: срок его действия истёк.').waitFor();
    await page.getByText(/сейчас до 4 файлов/).waitFor();
    await useToken(jwt.sign({}, 'another secret of more than thirty-two bytes'));
    await page.getByText('Токен не принят: он повреждён').waitFor();
    expect(await page.getByText('Токен принят').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await button('Прочитать 3').click();
    await page.getByText('Прочитано: 5', { exact: true }).first().waitFor();
    await page.getByText(/исчерпан, обновится (?:завтра )?в \d\d:\d\d, через \d+ минут/).waitFor();
    await useToken(`Bearer ${jwt.sign({}, SECRET)}`);
    await page.getByText('Прочитано: 6', { exact: true }).first().waitFor();
    await page.getByText('Токен принят: лимита нет').waitFor();
    expect(await page.getByLabel('Токен доступа').isVisible()).toBe(false);
    expect(await focused(page)).toBe('Забыть токен');
    await page.keyboard.press('Enter');
    await page.getByText('Без токена осталось файлов: 0 из 5').waitFor();
    expect(complaints).toEqual([]);
    const kept = () => [localStorage.length, sessionStorage.length, document.cookie];
    expect(await page.evaluate(kept)).toEqual([0, 0, '']);
  });
});

describe('an outage', { tags: 'chromium' }, () => {
  it('pauses, is told once, and ends by itself when the service is back', async () => {
    const settings = { PORT: String(await freePort()) };
    const { ring, letGo } = await heldRing();
    const service = await spawnService({ RING_CMD: ring, ...settings });
    const { page, choose } = await openLicensePage({}, service.url);
    await choose(...copies(3));
    await page.getByLabel('Reading…').first().waitFor();
    service.process.kill('SIGKILL');
    await page.getByRole('heading', { name: 'Reading is paused' }).waitFor();
    expect(await page.locator('.pause').innerText()).toContain('The service does not answer.');
    expect(await page.locator('.message').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    letGo();
    await spawnService({ RING_CMD: STAND_IN, ...settings });
    await page.getByText('Done: 3').first().waitFor({ timeout: 60_000 });
    expect(await page.locator('.pause').count()).toBe(0);
  });
});

describe('cancel and retry', { tags: 'chromium' }, () => {
  it('one, the next, and all; they can be read again, and the focus stays near', async () => {
    const { ring, letGo } = await heldRing();
    const service = await startTestService({ RING_CMD: ring });
    const { page, choose, button } = await openLicensePage({}, service.url);
    await choose(...copies(5));
    const states = () =>
      page
        .locator('.state')
        .evaluateAll((states) => states.map(({ ariaLabel }) => ariaLabel?.replace('…', '')));
    await expect.poll(states).toEqual(['Reading', 'Waiting', 'Waiting', 'Waiting', 'Waiting']);
    await button('Cancel: 2.lic').press('Enter');
    await expect.poll(() => focused(page)).toBe('Read: 2.lic');
    await button('Cancel: 1.lic').press('Enter');
    await expect.poll(states).toEqual(['Not read', 'Not read', 'Reading', 'Waiting', 'Waiting']);
    await button('Cancel all').press('Enter');
    await expect.poll(states).toEqual(Array(5).fill('Not read'));
    expect(await focused(page)).not.toBe('body');
    expect(await violations(page)).toEqual([]);
    letGo();
    await button('Read 5').click();
    await page.getByText('Done: 5').first().waitFor();
  });

  it('all that failed, while the filter shows only those', async () => {
    const go = join(await tempDirectory(), 'go');
    const list = `[ -e '${go}' ] || exec sleep 9; ${print('list-one-ru.txt')}`;
    const service = await startTestService({ RING_CMD: { list }, RING_TIMEOUT_MS: '3000' });
    const { page, choose, button } = await openLicensePage({}, service.url);
    await choose(...copies(2));
    await page.getByText('Failed: 2').first().waitFor();
    await button('Errors 2').click();
    writeFileSync(go, '');
    await button('Retry all failed').press('Enter');
    await page.getByText('Nothing matches.').waitFor();
    await page.getByText('Done: 2').first().waitFor();
    expect(await focused(page)).not.toBe('body');
  });
});
