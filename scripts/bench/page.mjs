import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { structureLicense } from '../../dist/license/structured-license.js';
import { readArguments } from '../arguments.mjs';
import { launchChromium } from '../chromium.mjs';
import { exitOnSignals, temporaryDirectory } from '../temporary-directory.mjs';
import { fleet } from './fleet.mjs';
import { startService } from './service.mjs';

/* global document, requestAnimationFrame, DataTransfer, DragEvent, File, PerformanceObserver, TextEncoder */

/*
 * Measures the page with 500 files at once. Decodes are answered at once, so that what is measured is the page. Then what
 * an exported sheet and files cost beside a plain table of the same text.
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
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const COST_ROUNDS = Number(process.env.COST_ROUNDS ?? 5);
const STAND_IN = resolve(import.meta.dirname, '../demo-ring/ring');

const licenses = fleet(COUNT);
exitOnSignals();
const directory = temporaryDirectory('ld-bench-page');
const service = await startService(directory, { RING_CMD: STAND_IN, RING_JVM_TUNING: 'off' });

/** What the service answers about a license, without ring. */
function answerTo({ text, permit }) {
  const { pin, previousPin, customer, product, computer } = permit;
  const lines = Object.entries(computer).map(([name, value]) => `${name} : ${value}`);
  const hardware = { license: lines.join('\n'), current: 'OS name : Linux\nComputer name : app' };
  const info =
    `Информация о пользователе:\n    Компания: ${customer.company}\n    Фамилия: ${customer.lastName}\n` +
    `Информация о продукте:\n    Описание: ${product.description}\n`;
  const name = `${pin}-${product.registrationNumber}`;
  const file = new TextEncoder().encode(text);
  return {
    licName: name,
    pinCode: pin.replace(/(?<=\d)(?=(?:\d{3})+$)/g, '-'),
    licData: info,
    validateData: '',
    licHWConfig: hardware.license,
    currentHWConfig: hardware.current,
    structured: structureLicense({ name, pin, previousPin, info, valid: false, file, hardware }),
  };
}
const answers = new Map(licenses.map((license) => [license.name, JSON.stringify(answerTo(license))]));

const server = createServer(async (req, res) => {
  if (req.url === '/api/decode') {
    const chunks = [];
    for await (const chunk of req) chunks.push(chunk);
    const [, name] = /filename="([^"]+)"/.exec(Buffer.concat(chunks).toString());
    res.setHeader('Content-Type', 'application/json').end(answers.get(name));
    return;
  }
  const response = await fetch(`http://127.0.0.1:${service.port}${req.url}`);
  for (const name of ['content-type', 'content-security-policy', 'cache-control']) {
    if (response.headers.has(name)) res.setHeader(name, response.headers.get(name));
  }
  const body = Buffer.from(await response.arrayBuffer());
  const isLimited = req.url === '/?limited';
  res
    .writeHead(response.status)
    .end(isLimited ? body.toString().replace(/data-limit="\d+"/, 'data-limit="3"') : body);
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));

const browser = await launchChromium(directory);

async function round() {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  // A token, so that four files are sent at a time.
  await page.locator('[aria-controls="token-menu"]').click();
  await page.locator('#token').fill('a.b.c');
  await page.locator('#token').press('Enter');
  const times = await page.evaluate(async (licenses) => {
    const tasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ type: 'longtask' });
    const transfer = new DataTransfer();
    for (const { name, text } of licenses) transfer.items.add(new File([text], name));
    // Creating the files does not count.
    await new Promise((done) => setTimeout(done, 500));
    const start = performance.now();
    document.body.dispatchEvent(
      new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }),
    );
    const until = async (condition) => {
      while (!condition()) await new Promise((done) => requestAnimationFrame(done));
      return performance.now() - start;
    };
    const rows = () => document.querySelectorAll('.license').length;
    const first = await until(() => rows() > 0);
    const all = await until(() => rows() === licenses.length);
    const decoded = await until(() => document.querySelectorAll('.license.done').length === licenses.length);
    await new Promise((done) => setTimeout(done, 500));
    return {
      'first rows, ms': first,
      'all rows, ms': all,
      'all decoded, ms': decoded,
      'long tasks, ms': tasks.reduce((sum, task) => sum + task, 0),
      'longest task, ms': Math.max(0, ...tasks),
      'page height, px': document.documentElement.scrollHeight,
    };
  }, licenses);
  await page.close();
  return times;
}

/** Milliseconds of CPU of the page's main thread that an action takes until nothing is drawn any more. */
async function cost(action) {
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 }, bypassCSP: true });
  const page = await context.newPage();
  page.on('dialog', (dialog) => void dialog.accept());
  // With a limit nothing is read by itself.
  await page.goto(`http://127.0.0.1:${server.address().port}/?limited`);
  await page.waitForTimeout(500);
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const cpu = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  };
  const prepared = await action.prepare?.(page);
  const before = await cpu();
  await action.run(page, prepared);
  const spent = (await cpu()) - before;
  const result = await action.result?.(page);
  await context.close();
  return { spent, result };
}

const until = (page, rows) =>
  page.waitForFunction(
    (rows) =>
      document.querySelectorAll('.license').length >= rows &&
      !document.querySelector('#strip')?.textContent.startsWith('Looking'),
    rows,
    { polling: 200, timeout: 60_000 },
  );

const makeDrop = (page) =>
  page.evaluateHandle((licenses) => {
    const transfer = new DataTransfer();
    for (const { name, text } of licenses) transfer.items.add(new File([text], name));
    return transfer;
  }, licenses);

const drop = {
  prepare: makeDrop,
  run: async (page, dataTransfer) => {
    await page.dispatchEvent('body', 'drop', { dataTransfer });
    await until(page, COUNT);
    await page.waitForTimeout(500);
  },
};

/** Gives the page an exported sheet. */
const give = (sheet) => ({
  run: async (page) => {
    await page.locator('#files').setInputFiles({ name: 'a.xlsx', mimeType: '', buffer: sheet });
    await until(page, COUNT);
    await page.waitForTimeout(500);
  },
});

/** A table of the same text, without anything else. */
const table = (rows) => ({
  prepare: (page) =>
    page.evaluateHandle((rows) => {
      const escape = (text) => text.replace(/[&<]/g, (letter) => `&#${letter.charCodeAt(0)};`);
      const body = rows.map(
        (cells) => `<tr>${cells.map((cell) => `<td>${escape(cell)}</td>`).join('')}</tr>`,
      );
      return `<table>${body.map((row) => `<tbody>${row}</tbody>`).join('')}</table>`;
    }, rows),
  run: async (page, html) => {
    await page.evaluate((html) => (document.querySelector('main').innerHTML = html), html);
    await page.waitForTimeout(500);
  },
});

/** The sheet and the texts of the rows of all licenses. */
async function exported() {
  const { result } = await cost({
    ...drop,
    result: async (page) => {
      await page.locator('[aria-controls="excel-menu"]').click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.locator('#excel-menu .main').click(),
      ]);
      const texts = await page.evaluate(() =>
        [...document.querySelectorAll('.license')].map((row) =>
          [...row.children].map(({ textContent }) => textContent),
        ),
      );
      return { sheet: readFileSync(await download.path()), texts };
    },
  });
  return result;
}

const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

try {
  const rounds = [];
  for (let index = 0; index < ROUNDS; index++) rounds.push(await round());
  console.log(`${COUNT} files, ${ROUNDS} rounds:`);
  for (const name of Object.keys(rounds[0] ?? {})) {
    console.log(`${name.padEnd(20)} ${rounds.map((times) => Math.round(times[name])).join('  ')}`);
  }
  const { sheet, texts } = await exported();
  const actions = { 'plain table': table(texts), 'rows of a sheet': give(sheet), files: drop };
  const costs = Object.fromEntries(Object.keys(actions).map((name) => [name, []]));
  for (let index = 0; index < COST_ROUNDS; index++)
    for (const [name, action] of Object.entries(actions)) costs[name].push((await cost(action)).spent);
  const plain = median([...costs['plain table']]);
  console.log(`CPU of the main thread, ms, ${COUNT} each, ${COST_ROUNDS} alternating rounds:`);
  for (const [name, spent] of Object.entries(costs)) {
    const times = (median([...spent]) / plain).toFixed(1);
    console.log(
      `${name.padEnd(20)} ${spent.map(Math.round).join('  ')}  median × ${times} of the plain table`,
    );
  }
} finally {
  await browser.close();
  server.close();
  await service.stop();
}
