import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import { describe, expect, it } from 'vitest';
import {
  FITTING,
  focused,
  FOREIGN,
  openLicensePage,
  sample,
  SECRET,
  STAND_IN,
  violations,
} from '../support/license-page.js';
import { freePort } from '../support/servers.js';
import { spawnService } from '../support/spawned-service.js';
import { tempDirectory } from '../support/temp.js';

/** A ring that waits until it is let go. */
async function heldRing(): Promise<{ ring: string; letGo: () => void }> {
  const directory = await tempDirectory();
  const ring = join(directory, 'ring');
  const wait = `while [ "$1" = license -o "$1" = -l ] && [ ! -e '${directory}/go' ]; do sleep 0.1; done`;
  writeFileSync(ring, `#!/bin/sh\n${wait}\nexec '${STAND_IN}' "$@"\n`);
  chmodSync(ring, 0o755);
  return { ring, letGo: () => writeFileSync(join(directory, 'go'), '') };
}

/** Licenses with different bytes that the stand-in can read. */
const copies = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `${index + 1}.lic`,
    text: `${String(sample(FITTING).text)}Номер: ${index}\n`,
  }));

describe('the limit', { tags: 'chromium' }, () => {
  it('says why a token is not accepted, accepts one only when the service has, and goes on', async () => {
    const { page, complaints, choose, row, button } = await openLicensePage(
      { RATE_LIMIT_MAX: '1' },
      { locale: 'ru-RU' },
    );
    expect(await page.getByText('Без токена — до 1 файла в час').isVisible()).toBe(true);
    await choose(sample(FOREIGN), sample(FITTING));
    await page.getByRole('heading', { name: 'Лимит исчерпан' }).waitFor();
    expect(await page.locator('.pause').innerText()).toMatch(
      /Ещё не прочитано: 1\. Чтение можно продолжить (?:завтра )?в \d\d:\d\d, через \d+ минут/,
    );
    expect(await page.getByLabel('Продолжить автоматически').isChecked()).toBe(true);
    expect(await violations(page)).toEqual([]);

    const enter = async (token: string) => {
      await page.getByLabel('Токен доступа').fill(token);
      await button('Применить').click();
    };
    await enter(jwt.sign({ exp: 1 }, SECRET));
    await page.getByText('Токен не принят: срок его действия истёк.').waitFor();
    await enter('ключ');
    await page.getByText('Токен не принят: он скопирован не полностью').waitFor();
    await enter(jwt.sign({}, 'another secret of more than thirty-two bytes'));
    await page.getByText('Токен не принят: он повреждён').waitFor();
    expect(await page.getByText('Токен принят').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await enter(`Bearer ${jwt.sign({}, SECRET)}`);
    await row(FITTING).locator('.digits').waitFor();
    expect(await page.getByText('Токен принят: ограничения нет').isVisible()).toBe(true);
    expect(await page.getByLabel('Токен доступа').isVisible()).toBe(false);
    expect(await page.getByRole('heading', { name: 'Лимит исчерпан' }).count()).toBe(0);
    expect(await focused(page)).not.toBe('body');
    expect(complaints.filter((text) => !text.includes('status of 429'))).toEqual([]);
    const kept = () => [localStorage.length, sessionStorage.length, document.cookie];
    expect(await page.evaluate(kept)).toEqual([0, 0, '']);
  });

  it('keeps a good token when the next one is none', async () => {
    const { page, choose, button } = await openLicensePage({ RATE_LIMIT_MAX: '0' });
    expect(await page.getByText('Files can be read with a token only').isVisible()).toBe(true);
    await page.getByText('I have a token').click();
    await page.getByLabel('Access token').fill(jwt.sign({}, SECRET));
    await button('Use token').click();
    await page.getByText('The token will be checked with the next file.').waitFor();
    await choose(...copies(2));
    await page.getByText('Token accepted: no limit').waitFor();
    await page.getByText('I have a token').click();
    await page.getByLabel('Access token').fill(jwt.sign({}, 'another secret of more than thirty-two bytes'));
    await button('Use token').click();
    await choose(...copies(5).slice(2));
    await page.getByText('Done: 5').first().waitFor();
    expect(await page.getByText('The token was not accepted').isVisible()).toBe(true);
    expect(await page.getByText('Token accepted: no limit').isVisible()).toBe(true);
  });

  it('is waited for, and leaves a button when it shall not be', async () => {
    const { page, choose, row, button } = await openLicensePage({
      RATE_LIMIT_MAX: '1',
      RATE_LIMIT_WINDOW_SECONDS: '5',
    });
    const [first, second, third] = copies(3) as [
      ReturnType<typeof sample>,
      ReturnType<typeof sample>,
      ReturnType<typeof sample>,
    ];
    await choose(first, second);
    await row('2.lic').locator('.digits').waitFor();
    expect(await page.locator('.pause').count()).toBe(0);
    await choose(third);
    await page.getByLabel('Continue automatically').uncheck();
    await page.waitForTimeout(6000);
    expect(await page.locator('.pause').count()).toBe(1);
    await button('Continue now').click();
    await row('3.lic').locator('.digits').waitFor();
    expect(await focused(page)).not.toBe('body');
  });
});

describe('an outage', { tags: 'chromium' }, () => {
  it('pauses, is told once, and ends by itself when the service is back', async () => {
    const settings = { PORT: String(await freePort()) };
    const { ring, letGo } = await heldRing();
    const { page, service, choose } = await openLicensePage({ ...settings, RING_CMD: ring });
    await choose(...copies(6));
    await page.getByText('Reading…').first().waitFor();
    service.process.kill('SIGKILL');
    await page.getByRole('heading', { name: 'Reading is paused' }).waitFor();
    expect(await page.locator('.pause').count()).toBe(1);
    expect(await page.locator('.pause').innerText()).toContain('The service does not answer.');
    expect(await page.locator('.message').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    letGo();
    await spawnService({ RING_CMD: STAND_IN, ...settings });
    await page.getByText('Done: 6').first().waitFor({ timeout: 60_000 });
    expect(await page.locator('.pause').count()).toBe(0);
  });
});

describe('cancel and retry', { tags: 'chromium' }, () => {
  it('one, the next, and all; all can be taken back as a whole, and the focus stays near', async () => {
    const { ring, letGo } = await heldRing();
    const { page, choose, row, button, column } = await openLicensePage({ RING_CMD: ring });
    await choose(...copies(5));
    const states = async () => (await column('state')).map((text) => /[A-Z]\w+/.exec(text)?.[0]);
    await row('1.lic').getByText('Reading…').waitFor();
    expect(await violations(page)).toEqual([]);
    await button('Cancel: 2.lic').press('Enter');
    await expect.poll(() => focused(page)).toBe('Try again: 2.lic');
    await button('Cancel: 1.lic').press('Enter');
    await row('3.lic').getByText('Reading…').waitFor();
    expect(await states()).toEqual(['Canceled', 'Canceled', 'Reading', 'Waiting', 'Waiting']);
    await button('Cancel all').press('Enter');
    await expect.poll(states).toEqual(['Canceled', 'Canceled', 'Canceled', 'Canceled', 'Canceled']);
    await expect.poll(() => focused(page)).toBe('Undo');
    expect(await violations(page)).toEqual([]);
    await button('Undo').press('Enter');
    await expect.poll(states).toEqual(['Canceled', 'Canceled', 'Reading', 'Waiting', 'Waiting']);
    expect(await focused(page)).not.toBe('body');
    letGo();
    await button('Try again: 2.lic').click();
    await row('2.lic').getByText('Done').waitFor();
    await page.getByText('Done: 4').first().waitFor();
  });

  it('all that failed, while the filter shows only those', async () => {
    const directory = await tempDirectory();
    const ring = join(directory, 'ring');
    writeFileSync(
      ring,
      `#!/bin/sh\n[ "$1" = --version -o -e '${directory}/mended' ] && exec '${STAND_IN}' "$@"\nsleep 9\n`,
    );
    chmodSync(ring, 0o755);
    const { page, choose, button } = await openLicensePage({
      RING_CMD: ring,
      RING_TIMEOUT_MS: '1000',
      DECODE_TIMEOUT_MS: '2000',
    });
    await choose(...copies(2));
    await page.getByText('Done: 0, failed: 2').first().waitFor();
    await button('Failed 2').click();
    writeFileSync(join(directory, 'mended'), '');
    await button('Retry all failed').press('Enter');
    await page.getByText('Nothing matches.').waitFor();
    await page.getByText('Done: 2').first().waitFor();
    expect(await focused(page)).not.toBe('body');
  });
});
