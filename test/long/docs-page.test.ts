import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { DEMO_RING, SAMPLES } from '../support/project.js';
import { spawnService } from '../support/spawned-service.js';

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

it(
  'the page in a browser decodes a sample, takes a token and shows the limit',
  { tags: 'whole-chromium' },
  async () => {
    const service = await spawnService({ RING_CMD: DEMO_RING, RATE_LIMIT_MAX: '1' });
    const { page, complaints, foreign } = await openBrowser(service.url);
    await page.goto(`${service.url}/docs#/Decoding/decodeLicense`);
    await page.locator('input[type=file]').setInputFiles(join(SAMPLES, 'лицензия-склад.lic'));
    await page.locator('[data-property-name=detailed] select').selectOption('true');
    const decoded = await execute(page);
    expect(decoded.status).toBe('200');
    expect(decoded.body).toMatchObject({
      pinCode: '620-914-378-205-517',
      licData: expect.stringMatching(/^Информация о пользователе:\n {4}Имя: Тимур\n/) as string,
      licHWConfig: expect.stringContaining('Computer name : sklad-1c') as string,
    });
    expect(decoded.text).toMatch(/x-ratelimit-limit: 1\b[^]*x-ratelimit-remaining: 0\b/);

    // By the keyboard: a click waits until the page has stopped scrolling to the operation.
    await page.getByRole('button', { name: 'Authorize' }).press('Enter');
    await page.locator('.auth-container input').fill('no.valid.token');
    await page.locator('.auth-container input').press('Enter');
    await page.locator('.modal-ux').getByRole('button', { name: 'Close', exact: true }).last().press('Enter');
    const refused = await execute(page);
    expect(refused.status).toBe('429');
    expect(refused.body).toMatchObject({ error: 'rate_limited', retryAfter: expect.any(Number) as number });
    expect(refused.text).toContain('retry-after: ');
    expect(refused.text).toContain('www-authenticate: Bearer error="invalid_token"');

    // The browser itself notes every answer of 400 or more.
    expect(complaints).toEqual([expect.stringContaining('status of 429')]);
    expect(foreign).toEqual([]);
    await page.getByRole('link', { name: 'Decode files in the browser' }).press('Enter');
    await page.waitForURL(`${service.url}/`);
  },
);
