import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { spawnService } from '../support/spawned-service.js';

const DEMO = resolve(import.meta.dirname, '../../scripts/demo-ring');

const start = (settings: Record<string, string>) =>
  spawnService({ RING_CMD: join(DEMO, 'ring'), ...settings });

/** Presses Execute and waits until the page shows the answer. */
async function execute(page: Page): Promise<{ status: string; body: unknown; text: string }> {
  const answered = page.waitForResponse('**/api/decode');
  await page.getByRole('button', { name: 'Execute' }).press('Enter');
  const id = (await (await answered).headerValue('x-request-id')) ?? '';
  const shown = page.locator('.live-responses-table tbody');
  await shown.getByText(id).waitFor();
  return {
    status: (await shown.locator('.response-col_status').innerText()).trim(),
    body: JSON.parse(await shown.locator('.highlight-code code').innerText()),
    text: await shown.innerText(),
  };
}

describe('the page in a browser', { tags: 'chromium' }, () => {
  it('decodes a sample with a Cyrillic name, and shows the limit after the third', async () => {
    const service = await start({ RATE_LIMIT_MAX: '3' });
    const { page, complaints, foreign } = await openBrowser(service.url);
    await page.goto(`${service.url}/docs`);
    await page.getByText('Decode a license file').click();
    await page.locator('input[type=file]').setInputFiles(join(DEMO, 'samples/лицензия-склад.lic'));
    await page.locator('[data-property-name=detailed] select').selectOption('true');

    const first = await execute(page);
    expect(first.status).toBe('200');
    expect(first.body).toMatchObject({
      pinCode: '620-914-378-205-517',
      licData: expect.stringMatching(/^Информация о пользователе:\n {4}Имя: Тимур\n/) as string,
      validateData: expect.stringContaining('Проверка лицензии завершилась с ошибкой.') as string,
      licHWConfig: expect.stringContaining('Computer name : sklad-1c') as string,
      currentHWConfig: expect.stringContaining('OS name : Linux') as string,
    });
    expect(first.text).toMatch(/x-ratelimit-limit: 3\b[^]*x-ratelimit-remaining: 2\b/);

    await execute(page);
    expect((await execute(page)).text).toContain('x-ratelimit-remaining: 0');
    const refused = await execute(page);
    expect(refused.status).toBe('429');
    expect(refused.body).toMatchObject({ error: 'rate_limited', retryAfter: expect.any(Number) as number });
    expect(refused.text).toContain('retry-after: ');

    // The browser itself notes every answer of 400 or more.
    expect(complaints).toEqual([expect.stringContaining('status of 429')]);
    expect(foreign).toEqual([]);
  });

  it('opens at an operation that the URL names, and takes a token by the Enter key', async () => {
    const service = await start({ RATE_LIMIT_MAX: '0' });
    const { page, complaints, foreign } = await openBrowser(service.url);
    await page.goto(`${service.url}/docs#/Decoding/decodeLicense`);
    await page.locator('input[type=file]').setInputFiles(join(DEMO, 'samples/20240115120000.lic'));
    // By the keyboard: a click waits until the page has stopped scrolling to the operation.
    await page.getByRole('button', { name: 'Authorize' }).press('Enter');
    await page.locator('.auth-container input').fill('no.valid.token');
    await page.locator('.auth-container input').press('Enter');
    await page.locator('.modal-ux').getByRole('button', { name: 'Close', exact: true }).last().press('Enter');

    const { status, text } = await execute(page);
    expect(status).toBe('429');
    expect(text).toContain('www-authenticate: Bearer error="invalid_token"');
    expect(complaints).toEqual([expect.stringContaining('status of 429')]);
    expect(foreign).toEqual([]);
    await page.getByRole('link', { name: 'Decode files in the browser' }).press('Enter');
    await page.waitForURL(`${service.url}/`);
  });
});
