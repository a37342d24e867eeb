import { expect, it } from 'vitest';
import { parseDate, parseTimestamp } from '../../../src/license/dates.js';

const DATES = { '31.12.2026': '2026-12-31', '29.02.2024': '2024-02-29', '01.01.0001': '0001-01-01' };
it.each(Object.entries(DATES))('the date %s is read', (text, date) => expect(parseDate(text)).toBe(date));

const NO_DATES =
  '|29.02.2023|31.02.2024|31.04.2024|00.01.2024|01.13.2024|1.2.2024|31.12.26|2024-12-31|31.12.2026 |с31.12.2026|' +
  '31.12.2026 10:00:00|٣١.١٢.٢٠٢٦';
it.each(NO_DATES.split('|'))('"%s" is no date', (text) => expect(parseDate(text)).toBeNull());

it.each([
  ['12:30:05 03.02.2021', '2021-02-03T12:30:05'],
  ['20.02.2019 10:26:05', '2019-02-20T10:26:05'],
  ['00:00:00  18.10.2017', '2017-10-18T00:00:00'],
  ['18.10.2017\u00A023:59:59', '2017-10-18T23:59:59'],
])('the timestamp %s is read', (text, timestamp) => expect(parseTimestamp(text)).toBe(timestamp));

const NO_TIMESTAMPS =
  '| |12:30:05|03.02.2021|24:00:00 03.02.2021|12:60:00 03.02.2021|23:59:60 31.12.2016|9:30:05 03.02.2021|' +
  '12:30 03.02.2021|12:30:05 31.02.2021|12:30:05 03.02.2021 UTC|12:30:05 12:30:05';
it.each(NO_TIMESTAMPS.split('|'))('"%s" is no timestamp', (text) => expect(parseTimestamp(text)).toBeNull());
