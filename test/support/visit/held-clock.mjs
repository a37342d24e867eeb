import { readFileSync } from 'node:fs';

/*
 * Loaded into the service before its own code (`node --import`): the process then takes the time of day from the file
 * that HELD_CLOCK names, which the test writes, and measures time by it. Timers run as always.
 */

const RealDate = Date;
const file = process.env.HELD_CLOCK;
const now = () => Number(readFileSync(file, 'utf8'));

globalThis.Date = class extends RealDate {
  static now() {
    return now();
  }

  constructor(...values) {
    if (values.length > 0) super(...values);
    else super(now());
  }
};

const startedAt = now();
globalThis.performance.now = () => now() - startedAt;
