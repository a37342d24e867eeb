import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from 'puppeteer-core';
import { expect, it, onTestFinished } from 'vitest';
import { fleet } from '../../scripts/bench/fleet.mjs';
import { DEMO_RING } from '../support/project.js';
import { startTestService } from '../support/service.js';
import { tempDirectory } from '../support/temp.js';

it(
  'Firefox sorts, filters and searches 500 licenses, has their details beside them, and stays when a link is dropped',
  { tags: 'firefox-esr' },
  async () => {
    const directory = await tempDirectory();
    const browser = await launch({
      browser: 'firefox',
      executablePath: '/usr/bin/firefox-esr',
      userDataDir: join(directory, 'profile'),
      env: { ...process.env, HOME: directory },
    });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warn'].includes(message.type())) complaints.push(message.text());
    });
    await page.setViewport({ width: 1600, height: 900 });
    const { url } = await startTestService({ RATE_LIMIT_MAX: '5', RING_CMD: DEMO_RING });
    await page.goto(`${url}/?lang=en`);

    const files = fleet(500).map(({ text }, index) => {
      const file = join(directory, `${String(index)}.lic`);
      writeFileSync(file, text);
      return file;
    });
    await (await page.$('input#files'))?.uploadFile(...files);
    const rows = () => page.$$eval('.license', (rows) => rows.map(({ textContent }) => textContent));
    await expect.poll(async () => (await rows()).length).toBe(500);

    const filter = '::-p-xpath(//button[@aria-pressed and contains(., "Expired")])';
    await page.locator(filter).click();
    const headings = () => page.$$eval('.heading h3', (all) => all.map(({ textContent }) => textContent));
    await expect.poll(headings).toEqual(['Expired']);
    await page.locator(filter).click();
    await expect.poll(async () => (await rows()).length).toBe(500);
    await page.locator('th.column-users button').click();
    await expect.poll(async () => (await rows())[0]).toMatch(/5 seats\d+BUH-PC/);
    await page.locator('#search').fill('BUH-PC-007');
    await expect.poll(async () => (await rows()).every((text) => text.includes('BUH-PC-007'))).toBe(true);
    expect((await rows()).length).toBeGreaterThan(1);

    await page.locator('.license td.column-product').click();
    await page.waitForSelector('.license.open + .details');
    await page.locator('.license td.column-product').click();
    await page.waitForSelector('.details', { hidden: true });

    const isPrevented = (target: string) =>
      page.evaluate((target) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.setData('text/uri-list', 'http://127.0.0.1:9/');
        const event = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer });
        return !(document.querySelector(target)?.dispatchEvent(event) ?? true);
      }, target);
    await page.locator('[aria-label="Clear the search"]').click();
    await expect.poll(async () => (await rows()).length).toBe(500);
    expect(await isPrevented('main')).toBe(true);
    expect(await isPrevented('#search')).toBe(false);
    expect(complaints).toEqual([]);
  },
);
