import { resolve } from 'node:path';
import jwt from 'jsonwebtoken';
import { structureLicense } from '../../dist/license/structured-license.js';
import { readArguments } from '../arguments.mjs';
import { launchChromium } from '../chromium.mjs';
import { exitOnSignals, temporaryDirectory } from '../temporary-directory.mjs';
import { fleet } from './fleet.mjs';
import { startService } from './service.mjs';

/* global document, DataTransfer, File, TextEncoder */

/*
 * Measures the CPU of the page's main thread that files take, with and without being read by the service, beside a plain
 * table of the same text. Decodes are answered at once, so that what is measured is the page.
 */

const USAGE = 'npm run bench:page [-- FILES]';
const COUNT = readArguments(
  USAGE,
  { allowPositionals: true },
  ({ positionals: [files = '500', ...more] }) => {
    if (!/^[1-9]\d*$/.test(files) || more.length > 0) throw new Error('FILES must be a number.');
    return Number(files);
  },
);
const ROUNDS = 5;
/** Milliseconds after the last row or answer in which the page draws it. */
const SETTLE_MS = 500;

const licenses = fleet(COUNT);
exitOnSignals();
const directory = temporaryDirectory('ld-bench-page');
const JWT_SECRET = 'a secret of the benchmark, which nobody else uses';
const token = jwt.sign({}, JWT_SECRET, { algorithm: 'HS256', expiresIn: '1h' });
// With a limit nothing is read by itself. A token lifts it.
const service = await startService(directory, {
  RING_CMD: resolve(import.meta.dirname, '../demo-ring/ring'),
  RATE_LIMIT_MAX: '1',
  JWT_SECRET,
});
const browser = await launchChromium(directory);

const answers = new Map(licenses.map((license) => [license.text, JSON.stringify(answerTo(license))]));

/** What the service answers about a license, without ring. */
function answerTo({ text, permit }) {
  const { pin, previousPin, customer, product, computer } = permit;
  const lines = Object.entries(computer).map(([name, value]) => `${name} : ${value}`);
  const hardware = { license: lines.join('\n'), current: 'OS name : Linux\nComputer name : app' };
  const info =
    `Информация о пользователе:\n    Компания: ${customer.company}\n    Фамилия: ${customer.lastName}\n` +
    `Информация о продукте:\n    Описание: ${product.description}\n`;
  const file = new TextEncoder().encode(text);
  return {
    licName: `${pin}-${product.registrationNumber}`,
    pinCode: pin.replace(/(?<=\d)(?=(?:\d{3})+$)/g, '-'),
    licData: info,
    validateData: '',
    licHWConfig: hardware.license,
    currentHWConfig: hardware.current,
    structured: structureLicense({
      pin,
      registrationNumber: product.registrationNumber,
      previousPin,
      info,
      valid: false,
      file,
      hardware,
    }),
  };
}

/** Answers a decode by what is in its file, which is the last part of the form. */
async function answerDecode(route) {
  const form = route.request().postDataBuffer().toString();
  const [text] = form.slice(form.lastIndexOf('\r\n\r\n') + 4).split('\r\n--');
  await route.fulfill({ contentType: 'application/json', body: answers.get(text) });
}

/**
 * Milliseconds of CPU of the page's main thread that an action takes until nothing is drawn any more.
 * @param prepare what is done before that is measured
 * @param run the action, with what `prepare` gives
 * @param result what is asked of the page afterwards
 */
async function cost({ prepare, run, result }) {
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 }, bypassCSP: true });
  const page = await context.newPage();
  page.on('dialog', (dialog) => void dialog.accept());
  await page.route('**/api/decode', answerDecode);
  await page.goto(`http://127.0.0.1:${service.port}/`);
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const cpu = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  };

  const prepared = await prepare?.(page);
  await page.waitForTimeout(SETTLE_MS);
  const before = await cpu();
  await run(page, prepared);
  await page.waitForTimeout(SETTLE_MS);
  const spent = (await cpu()) - before;

  const found = await result?.(page);
  await context.close();
  return { spent, found };
}

/** Waits until the table has all rows, and no file arrives any more. */
const rowsOf = (page, selector = '.license') =>
  page.waitForFunction(
    ({ selector, count }) =>
      document.querySelectorAll(selector).length >= count &&
      !document.querySelector('#strip')?.textContent.startsWith('Looking'),
    { selector, count: COUNT },
    { polling: 200, timeout: 600_000 },
  );

const makeDrop = (page) =>
  page.evaluateHandle((licenses) => {
    const transfer = new DataTransfer();
    for (const { name, text } of licenses) transfer.items.add(new File([text], name));
    return transfer;
  }, licenses);

const files = {
  prepare: makeDrop,
  run: async (page, dataTransfer) => {
    await page.dispatchEvent('body', 'drop', { dataTransfer });
    await rowsOf(page);
  },
};

const readFiles = {
  prepare: async (page) => {
    await page.locator('[aria-controls="token-dialog"]').click();
    await page.locator('#token').fill(token);
    await page.locator('#token').press('Enter');
    await page.locator('#token').waitFor({ state: 'hidden' });
    return makeDrop(page);
  },
  run: async (page, dataTransfer) => {
    await page.dispatchEvent('body', 'drop', { dataTransfer });
    await rowsOf(page, '.license.done');
  },
};

/** A table of the same text, without anything else. */
const plainTable = (rows) => ({
  prepare: (page) =>
    page.evaluateHandle((rows) => {
      const escape = (text) => text.replace(/[&<]/g, (letter) => `&#${letter.charCodeAt(0)};`);
      const cellsOf = (row) => row.map((cell) => `<td>${escape(cell)}</td>`).join('');
      const body = rows.map((row) => `<tbody><tr>${cellsOf(row)}</tr></tbody>`);
      return `<table>${body.join('')}</table>`;
    }, rows),
  run: (page, html) => page.evaluate((html) => (document.querySelector('main').innerHTML = html), html),
});

/** The texts of the rows of all licenses. */
const textsOf = (page) =>
  page.evaluate(() => {
    const rows = [...document.querySelectorAll('.license')];
    return rows.map((row) => [...row.children].map(({ textContent }) => textContent));
  });

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

try {
  const { found } = await cost({ ...files, result: textsOf });
  const actions = {
    'plain table': plainTable(found),
    files,
    'files that are read': readFiles,
  };
  const costs = Object.fromEntries(Object.keys(actions).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, action] of Object.entries(actions)) {
      const { spent } = await cost(action);
      costs[name].push(spent);
    }
  }

  console.log(`CPU of the main thread, ms, ${COUNT} each, ${ROUNDS} alternating rounds:`);
  const plain = median(costs['plain table']);
  for (const [name, spent] of Object.entries(costs)) {
    const times = (median(spent) / plain).toFixed(1);
    const rounds = spent.map(Math.round).join('  ');
    console.log(`${name.padEnd(20)} ${rounds}  median × ${times} of the plain table`);
  }
} finally {
  await browser.close();
  await service.stop();
}
