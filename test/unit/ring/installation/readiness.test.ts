import { expect, it } from 'vitest';
import { Readiness } from '../../../../src/ring/installation/readiness.js';

const PAUSE_MS = 30_000;

/**
 * Plays events, one a second: `+` and `-` are good and bad polls, `ok` a decode that works, and `A1` one of the client A
 * with the file 1 that fails for a reason that no file can cause.
 */
function after(events: string): Readiness {
  const readiness = new Readiness({ pauseMs: PAUSE_MS, maxPauseMs: 300_000 });
  let now = 0;
  for (const event of events.split(' ')) {
    now += 1_000;
    if (event === '+') readiness.pollEnded(true, now);
    else if (event === '-') readiness.pollEnded(false, now);
    else if (event === 'ok') readiness.decodeWorked();
    else if (event === 'pause') now = readiness.pauseEnd ?? now;
    else readiness.decodeFailed({ client: event[0] ?? '', fingerprint: event[1] ?? '' }, now);
  }
  return readiness;
}

it.each([
  ['a good poll', '+', true],
  ['a bad poll', '+ -', false],
  ['failures after a bad poll, which the poll explains', '- A1 B2 C3 +', true],
  ['failures of which some came before a bad poll', '+ A1 B2 - C3 +', true],
  ['two failures', '+ A1 B2', true],
  ['three files of two clients', '+ A1 A2 B3', false],
  ['three files of three clients', '+ A1 B2 C3', false],
  ['many files of one client', '+ A1 A2 A3 A4 A5 A6', true],
  ['many files of one client, and one of another', '+ A1 A2 A3 A4 A5 A6 B7', false],
  ['one file of many clients', '+ A1 B1 C1 D1 E1', true],
  ['two files of many clients', '+ A1 B2 C1 D2 E1', true],
  ['a decode that worked in between', '+ A1 B2 ok C3', true],
  ['a good poll in between, which such a fault does not show in', '+ A1 + B2 + C3', false],
  ['a good poll during the pause', '+ A1 B2 C3 +', false],
  ['a good poll after the pause', '+ A1 B2 C3 pause +', true],
  ['a bad poll after the pause', '+ A1 B2 C3 pause -', false],
  ['one more failure on probation', '+ A1 B2 C3 pause + A1', false],
  ['a good poll after the second pause', '+ A1 B2 C3 pause + A1 pause +', true],
  ['a decode that worked during the pause', '+ A1 B2 C3 ok', true],
  ['one failure after probation', '+ A1 B2 C3 pause + ok A1', true],
  ['a decode that worked, which cannot outvote a bad poll', '- ok', false],
])('after %s (%s) the service is ready: %s', (_title, events, isReady) => {
  expect(after(events).isReady).toBe(isReady);
});

it('a poll that began before the end of the pause does not end it', () => {
  const readiness = after('+ A1 B2 C3');
  const end = readiness.pauseEnd ?? 0;
  readiness.pollEnded(true, end - 1);
  expect(readiness.isReady).toBe(false);
  readiness.pollEnded(true, end);
  expect(readiness.isReady).toBe(true);
});

it('each pause is twice as long as the one before, up to the maximum, until a decode works', () => {
  const readiness = after('+ A1 B2');
  const pauses: number[] = [];
  let now = 0;
  const fail = () => {
    readiness.decodeFailed({ client: 'C', fingerprint: '3' }, now);
    const end = readiness.pauseEnd ?? now;
    pauses.push(end - now);
    now = end;
    readiness.pollEnded(true, now);
  };
  for (let n = 0; n < 6; n++) fail();
  expect(pauses).toEqual([30_000, 60_000, 120_000, 240_000, 300_000, 300_000]);
  readiness.decodeWorked();
  fail();
  expect(pauses.at(-1)).toBe(0);
});

it('only the failure that begins a pause says when it ends', () => {
  const readiness = after('+ A1 B2');
  const fault = { client: 'C', fingerprint: '3' };
  expect(readiness.decodeFailed(fault, 0)).toBe(PAUSE_MS);
  expect(readiness.decodeFailed(fault, 0)).toBeUndefined();
});
