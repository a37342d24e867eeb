import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request, Response } from 'express';
import { expect, it } from 'vitest';
import { admitDecodes } from '../../../src/access/admission.js';

const ADDRESS = '203.0.113.1';

/** Asks for decodes with a token or without one, one after the other. @returns the responses of those admitted */
function ask(admit: ReturnType<typeof admitDecodes>, tokenHash?: string, count = 1): Response[] {
  return Array.from({ length: count }, () => {
    const req = Object.assign(new IncomingMessage(new Socket()), { ip: ADDRESS }) as unknown as Request;
    const res = Object.assign(new ServerResponse(req), { locals: { tokenHash } }) as unknown as Response;
    try {
      admit(req, res, () => undefined);
      return res;
    } catch (error) {
      expect(error).toMatchObject({ code: 'queue_full' });
      return [];
    }
  }).flat();
}

it.each([
  [40, [25, 25, 1], [20, 20, 0]],
  [10, [10, 3], [8, 2]],
  [4, [6], [4]],
])('of %i decodes each client gets half, or 8 where that is more', (limit, asked, admitted) => {
  const admit = admitDecodes(limit);
  expect(asked.map((count, i) => ask(admit, `client ${i}`, count).length)).toEqual(admitted);
});

it('requests without a token share the places of their address', () => {
  const admit = admitDecodes(16);
  expect([ask(admit, 'a', 9).length, ask(admit, undefined, 9).length]).toEqual([8, 8]);
});

it.each(['decided', 'prefinish', 'close'])('the place is free again at %s, once', (event) => {
  const admit = admitDecodes(2);
  const [res] = ask(admit, 'a', 2);
  expect(ask(admit, 'b')).toEqual([]);
  res?.emit(event);
  expect(ask(admit, 'b')).toHaveLength(1);
  res?.emit('close');
  expect(ask(admit, 'b')).toEqual([]);
});
