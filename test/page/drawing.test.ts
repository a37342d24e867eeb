import { options, type VNode } from 'preact';
import { expect, it, onTestFinished } from 'vitest';
import { LicenseRow } from '../../src/web/page/list/license-row.js';
import { nameOf, type License } from '../../src/web/page/model/license.js';
import { openDomPage } from '../support/dom-page.js';
import { PERMIT } from '../support/held-service.js';
import { decoded } from '../unit/web/model/licenses.js';

interface RowProps {
  license: License;
}

/** Counts how often rows are drawn. */
function countDrawings() {
  const drawn: string[] = [];
  // The hook of preact that its own hooks use.
  const hooks = options as { __r?: (node: VNode) => void };
  const before = hooks.__r;
  hooks.__r = (node) => {
    if (node.type === LicenseRow) drawn.push(nameOf((node as VNode<RowProps>).props.license));
    before?.(node);
  };
  onTestFinished(() => {
    if (before) hooks.__r = before;
  });
  return drawn;
}

it('one row is drawn for one file that is read, updated or given again', async () => {
  const drawn = countDrawings();
  const page = await openDomPage(() => ({ body: decoded({}) }), 5);
  const names = Array.from({ length: 8 }, (_, index) => `${index}.lic`);
  page.choose(...names.map((name) => ({ name })));
  await page.shows('not read yet');
  expect([...drawn].sort()).toEqual(names);
  const expectDrawn = async (name: string, act: () => unknown) => {
    drawn.length = 0;
    await act();
    await expect.poll(() => drawn).toContain(name);
    await new Promise((done) => setTimeout(done, 100));
    expect([...new Set(drawn)]).toEqual([name]);
  };
  await expectDrawn('3.lic', async () => {
    await page.press('Get PIN code: 3.lic');
    await page.shows('Not read 7');
    // The row is drawn once more when nothing is in the queue.
    await expect.poll(() => page.store.isReading.value).toBe(false);
  });
  await expectDrawn('4.lic', () => page.choose({ name: 'copy.lic', text: `${PERMIT}4.lic` }));
  await expectDrawn('5.lic', () => page.choose({ name: '5.lic', text: `${PERMIT}other` }));
});
