import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readArguments } from './arguments.mjs';
import { startService } from './bench/service.mjs';
import { launchChromium } from './chromium.mjs';
import { exitOnSignals, temporaryDirectory } from './temporary-directory.mjs';

/*
 * Takes the picture of the page for each README, with the demo's samples, by the Chromium of the system and its fonts.
 * Nothing in it depends on the machine or the time.
 */

/** Pixels. */
const WIDTH = 1400;
const ROOT = dirname(import.meta.dirname);
const DEMO = join(ROOT, 'scripts/demo-ring');
const IMAGES = join(ROOT, 'docs/images');
const SAMPLES = join(DEMO, 'samples');
/** This sample shows the name of the machine that decodes it, so it is left out. */
const BOUND_HERE = '20250301090000.lic';
/** The file of each picture, by the language of the page. */
const PICTURES = { 'en-US': 'page.png', 'ru-RU': 'page.ru.png' };

readArguments('npm run screenshot');
exitOnSignals();
const directory = temporaryDirectory('ld-screenshot');
const settings = { RATE_LIMIT_MAX: '100', RING_CMD: join(DEMO, 'ring') };
const service = await startService(directory, settings);
const browser = await launchChromium(directory);
try {
  const samples = await readdir(SAMPLES);
  const names = samples.filter((name) => name !== BOUND_HERE).sort();
  for (const [locale, picture] of Object.entries(PICTURES)) await takePicture(locale, picture, names);
} finally {
  await browser.close();
  await service.stop();
}

/**
 * @param picture the name of the file
 * @param names the samples on the page
 */
async function takePicture(locale, picture, names) {
  const page = await browser.newPage({
    locale,
    timezoneId: 'Europe/Moscow',
    viewport: { width: WIDTH, height: 400 },
  });
  await page.clock.setFixedTime(new Date('2026-03-02T12:00:30+03:00'));
  await page.goto(`http://127.0.0.1:${service.port}`);
  // Without the versions in the status the page shows no note that this is a demo.
  await page.route('**/api/status', (route) => route.fulfill({ json: {} }));
  await page.reload();
  await page.locator('#files').setInputFiles(names.map((name) => join(SAMPLES, name)));
  await page.locator('.license.done').first().waitFor();
  await page.waitForFunction(() => !globalThis.document.querySelector('.license:not(.done)'));
  // Rows are drawn a frame after they come into view, so all of them have to be in view before the picture is taken.
  const height = await page.evaluate(() => globalThis.document.documentElement.scrollHeight);
  await page.setViewportSize({ width: WIDTH, height });
  await sleep(1000);
  const path = join(IMAGES, picture);
  await page.screenshot({ path });
  console.log(path);
  await page.close();
}
