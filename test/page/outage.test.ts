import { expect, it } from 'vitest';
import { openDomPage } from '../support/dom-page.js';
import { decoded } from '../unit/web/model/licenses.js';

it('pauses, is told once, and ends by itself when the service is back', async () => {
  const out = { status: 503, body: { error: 'ring_unavailable', message: 'The service cannot run ring.' } };
  const page = await openDomPage(() => out);
  page.service.isReady = false;
  await page.choose({ name: '1.lic' }, { name: '2.lic' }, { name: '3.lic' });
  await expect.poll(() => page.texts('.pause h2')).toEqual(['Reading is paused']);
  expect(page.texts('.pause p')[0]).toBe('The service cannot run ring.');
  expect(page.texts('.message')).toEqual([]);
  page.service.respond = () => ({ body: decoded({}) });
  page.service.isReady = true;
  await page.press('Continue now');
  await expect.poll(() => page.shows('Done: 3')).toBe(true);
  expect(page.texts('.pause')).toEqual([]);
});
