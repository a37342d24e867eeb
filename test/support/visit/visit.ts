import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import type { Page } from 'playwright-core';
import { version } from '../../../src/config/settings.js';
import type { Language } from '../../../src/errors/catalog.js';
import { textsIn, type TextKey, type TextValues } from '../../../src/web/page/texts/texts.js';
import { openBrowser } from '../browser.js';
import { fakeJavaHome } from '../fake-ring.js';
import { freePort } from '../servers.js';
import { spawnService, type SpawnedService } from '../spawned-service.js';
import { tempDirectory } from '../temp.js';
import { until } from '../until.js';
import { HeldRing } from './held-ring.js';
import { watchPage } from './page-words.js';

/** When visits begin. The page rounds to minutes, so half a minute is far from where a text would change. */
const BEGIN = Date.parse('2026-11-24T09:30:30+03:00');
const ZONE = 'Europe/Moscow';
const SECRET = 'a secret of more than thirty-two bytes';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** How often nothing may be under way, in a row, until a step has ended. */
const QUIET_TURNS = 3;

export interface VisitFile {
  name: string;
  text: string | Buffer;
}

/**
 * A person at the page, in a real browser before a real service, whose ring and clock the test holds. After each step
 * it writes down what the page shows and has announced, as soon as nothing is under way but what ring holds.
 */
export class Visit {
  readonly lines: string[] = [];
  /** The limit of clients without a token, as the service has it by default. */
  readonly limit = 3;
  private service: SpawnedService | undefined;
  private now = BEGIN;
  private chosen: VisitFile[] = [];
  private rows: string[] = [];

  private constructor(
    readonly language: Language,
    readonly page: Page,
    readonly ring: HeldRing,
    private readonly port: number,
    private readonly clockFile: string,
  ) {}

  static async start(language: Language): Promise<Visit> {
    const ring = await HeldRing.create();
    const port = await freePort();
    const clockFile = join(await tempDirectory(), 'now');
    const { page } = await openBrowser(`http://127.0.0.1:${port}`, {
      locale: language === 'ru' ? 'ru-RU' : 'en-US',
      timezoneId: ZONE,
      viewport: { width: 1366, height: 768 },
    });
    const visit = new Visit(language, page, ring, port, clockFile);
    visit.setClock(BEGIN);
    await visit.startService();
    await page.addInitScript(watchPage);
    await page.clock.install({ time: BEGIN - HOUR_MS });
    await page.clock.pauseAt(BEGIN);
    page.on('dialog', (dialog) => void dialog.accept());
    return visit;
  }

  /** Starts the service, or starts it again at the same address. */
  async startService(): Promise<void> {
    const env = {
      ...process.env,
      JAVA_HOME: await fakeJavaHome(),
      NODE_OPTIONS: `--import=${join(import.meta.dirname, 'held-clock.mjs')}`,
      HELD_CLOCK: this.clockFile,
    };
    const settings = {
      PORT: String(this.port),
      RING_CMD: this.ring.command,
      JWT_SECRET: SECRET,
      RATE_LIMIT_MAX: String(this.limit),
      // Each decode gets to ring, where it is held for as long as a step takes on a busy machine.
      RING_CONCURRENCY: '16',
      DECODE_TIMEOUT_MS: '1200000',
    };
    this.service = await spawnService(settings, { env });
    // So that no page meets it before it has asked ring for the first time.
    await until(async () => (await fetch(`http://127.0.0.1:${this.port}/api/status`)).ok);
  }

  /** Ends the service from one moment to the next. */
  async killService(): Promise<void> {
    this.service?.process.kill('SIGKILL');
    await this.service?.exited;
    this.ring.end();
  }

  /** A text of the page, by which its controls are found. */
  text(key: TextKey, values?: TextValues): string {
    return textsIn(this.language)(key, values);
  }

  /**
   * @param what the person does, or what happens
   * @param action does it
   */
  async step(what: string, action: () => Promise<unknown>): Promise<void> {
    try {
      await action();
      await this.settle();
    } catch (cause) {
      const shown = await this.page.evaluate(() => window.visit.shown());
      throw new Error(`"${what}" did not happen. The page shows:\n${shown.join('\n')}`, { cause });
    }
    await this.write(what);
  }

  async open(): Promise<void> {
    await this.page.goto(`http://127.0.0.1:${this.port}`);
  }

  /** Gives files to the page by its button. */
  async choose(files: readonly VisitFile[]): Promise<void> {
    this.chosen.push(...files);
    const label = (await this.isEmpty()) ? 'choose' : 'addFiles';
    const input = this.page.getByLabel(this.text(label), { exact: true });
    await input.setInputFiles(
      files.map(({ name, text }) => ({ name, mimeType: '', buffer: Buffer.from(text) })),
    );
  }

  async press(key: TextKey, values?: TextValues): Promise<void> {
    await this.page.getByRole('button', { name: this.text(key, values), exact: true }).click();
  }

  /** @param seconds for which the token is valid */
  async enterToken(seconds: number): Promise<void> {
    const issuedAt = Math.floor(this.now / 1000);
    const token = jwt.sign({ iat: issuedAt, exp: issuedAt + seconds }, SECRET);
    const field = this.page.getByLabel(this.text('token'), { exact: true });
    if (!(await field.isVisible())) {
      await this.page.locator('[aria-controls=token-dialog]').click();
      await this.passSecond();
    }
    await field.fill(token);
    await field.press('Enter');
  }

  /**
   * Lets ring read one file, and waits for the page to have the answer. Of the files that ring was asked for, it is the one
   * that was chosen first.
   */
  async answerNext(): Promise<void> {
    const next = this.chosen.find(({ text }) => this.ring.isHolding(text));
    if (!next) throw new Error('ring was asked for none of the files.');
    await this.ring.release(next.text);
    await this.becomeQuiet();
  }

  /** Lets ring read files until it is asked for no more. */
  async answerAll(): Promise<void> {
    await this.becomeQuiet();
    while (this.ring.held().length > 0) await this.answerNext();
  }

  /** Lets time pass, for the page and for the service: the last minute second by second, what comes before in one go. */
  async wait(milliseconds: number): Promise<void> {
    const lastMinute = Math.min(milliseconds, MINUTE_MS);
    const before = milliseconds - lastMinute;
    if (before > 0) {
      this.setClock(this.now + before);
      await this.page.clock.fastForward(before);
    }
    for (let passed = 0; passed < lastMinute; passed += SECOND_MS) {
      await this.passSecond();
      // What the page asks for in one second is answered before the next, on a busy machine too.
      await until(() => this.page.evaluate(() => window.visit.others === 0));
    }
  }

  private setClock(now: number): void {
    this.now = now;
    // The service may read at any moment, and would find a file that is being written empty.
    const next = `${this.clockFile}.next`;
    writeFileSync(next, String(now));
    renameSync(next, this.clockFile);
  }

  private async isEmpty(): Promise<boolean> {
    return (await this.page.getByLabel(this.text('choose'), { exact: true }).count()) > 0;
  }

  /**
   * Waits until nothing is under way, then lets the page draw, which may begin something new: two rounds are enough
   * for every step. So each step takes two seconds by the page's clock, however long it lasts here.
   */
  private async settle(): Promise<void> {
    for (let round = 0; round < 2; round++) {
      await this.becomeQuiet();
      await this.passSecond();
    }
    await this.becomeQuiet();
  }

  /** Longer than any wait of the page before it draws. */
  private async passSecond(): Promise<void> {
    this.setClock(this.now + SECOND_MS);
    await this.page.clock.runFor(SECOND_MS);
  }

  /** Waits until the page waits for nothing but decodes, and ring holds each of these. */
  private async becomeQuiet(): Promise<void> {
    let quietTurns = 0;
    await until(async () => {
      const { decodes, others } = await this.page.evaluate(async () => {
        await window.visit.turn();
        const { decodes, others } = window.visit;
        return { decodes, others };
      });
      const isQuiet = others === 0 && decodes === this.ring.held().length;
      quietTurns = isQuiet ? quietTurns + 1 : 0;
      return quietTurns === QUIET_TURNS;
    });
  }

  private async write(what: string): Promise<void> {
    const { title, announced, shown, focus } = await this.page.evaluate(() => {
      const focused = document.activeElement;
      const hasFocus = focused !== null && focused !== document.body;
      return {
        title: document.title,
        announced: window.visit.announced(),
        shown: window.visit.shown(),
        focus: hasFocus ? window.visit.nameOf(focused) : undefined,
      };
    });
    this.lines.push(`=== ${what}`, `title: ${title}`);
    if (focus) this.lines.push(`focus: ${focus}`);
    for (const text of announced) this.lines.push(`announced: ${text}`);
    const lines = shown.map((line) => line.replace(version, 'X.Y.Z'));
    this.lines.push('', ...this.shorten(lines), '');
  }

  /** Leaves out the rows that are where they were, and as they were, a step before. */
  private shorten(shown: readonly string[]): string[] {
    const before = this.rows;
    this.rows = shown.filter((line) => line.startsWith('|'));
    const lines: string[] = [];
    let index = 0;
    let same = 0;
    for (const line of shown) {
      const isRow = line.startsWith('|');
      const isSame = isRow && before[index] === line;
      if (isRow) index += 1;
      if (isSame) {
        same += 1;
        continue;
      }
      if (same > 0) lines.push(`| as before: ${same} |`);
      same = 0;
      lines.push(line);
    }
    if (same > 0) lines.push(`| as before: ${same} |`);
    return lines;
  }
}
