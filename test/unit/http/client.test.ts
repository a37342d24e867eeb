import express, { type Request } from 'express';
import { expect, it } from 'vitest';
import { compileTrustProxy } from '../../../src/config/trust-proxy.js';
import { addressKey, clientAddress } from '../../../src/http/client.js';

const DEFAULT = 'loopback, linklocal, uniquelocal';

/** Express's own request, as far as it knows its client. */
function requestFrom(forwardedFor: string | undefined, trustProxy = DEFAULT, peer = '127.0.0.1'): Request {
  const app = express();
  app.set('trust proxy', compileTrustProxy(trustProxy));
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  return Object.assign(Object.create(app.request) as Request, {
    headers,
    socket: { remoteAddress: peer },
    connection: { remoteAddress: peer },
  });
}

it.each<[string, string, string, string[]]>([
  ['has no port', DEFAULT, '203.0.113.1', ['203.0.113.1', '203.0.113.1:1000']],
  ['has no zone', DEFAULT, 'fe80::1', ['fe80::1%eth0']],
  ['is IPv4 where it is mapped to IPv6', DEFAULT, '203.0.113.1', ['::ffff:203.0.113.1']],
  ['ignores forged entries', DEFAULT, '203.0.113.1', ['1.1.1.1, 203.0.113.1', 'x,8.8.8.8,203.0.113.1']],
  ['skips inner proxies', DEFAULT, '203.0.113.1', ['203.0.113.1, 10.0.0.8, 127.0.0.1:4711']],
  ['is the proxy when it sends none', DEFAULT, '127.0.0.1', ['garbage', 'unknown', '999.1.1.1', '']],
  ...['off', 'OFF', 'no', 'false', '0'].map((word): [string, string, string, string[]] => [
    `is the connection with ${word}`,
    word,
    '127.0.0.1',
    ['203.0.113.1'],
  ]),
  ...['on', 'yes', 'TRUE', DEFAULT].map((word): [string, string, string, string[]] => [
    `is what inner proxies report with ${word}`,
    word,
    '203.0.113.1',
    ['1.1.1.1, 203.0.113.1, 10.0.0.8'],
  ]),
  ['is the last entry for one hop', '1', '203.0.113.1', ['9.9.9.9, 203.0.113.1', '203.0.113.1']],
  ['is the one before for two', '2', '203.0.113.1', ['9.9.9.9, 203.0.113.1, 198.51.100.1']],
  ['skips listed proxies', '127.0.0.1, 192.0.2.0/24', '203.0.113.1', ['1.1.1.1, 203.0.113.1, 192.0.2.7']],
  ['is a proxy that is not listed', '198.51.100.0/24', '127.0.0.1', ['203.0.113.1']],
])('the client address %s', (_title, trustProxy, address, chains) => {
  for (const chain of chains) {
    expect([chain, clientAddress(requestFrom(chain, trustProxy))]).toEqual([chain, address]);
  }
});

it('without a proxy, the client address is that of the connection', () => {
  expect(clientAddress(requestFrom(undefined, DEFAULT, '::ffff:198.51.100.1'))).toBe('198.51.100.1');
  expect(clientAddress(requestFrom('203.0.113.1', DEFAULT, '198.51.100.1'))).toBe('198.51.100.1');
});

it('the key of the limiter is the /56 of an IPv6 address, and the whole IPv4 address', () => {
  const key = (address: string) => addressKey(requestFrom(address));
  expect(key('2001:db8:1:100::1')).toBe(key('[2001:db8:1:1ff::9]:443'));
  expect(key('2001:db8:1:100::1')).not.toBe(key('2001:db8:1:200::1'));
  expect(key('203.0.113.1')).toBe(key('::ffff:203.0.113.1'));
  expect(key('203.0.113.1')).not.toBe(key('203.0.113.2'));
});

it.each([
  ...['abc', 'off, 10.0.0.1', '10.0.0.0/99', '-1', '1.5', ',', '10.0.0.1;10.0.0.2'],
  ...['17', '2130706433', '0x1', '0x7f000001/8', '1,2'],
])('TRUST_PROXY %j is refused with a reason', (value) =>
  expect(() => compileTrustProxy(value)).toThrow(/^must /),
);

it.each(['1', '16', 'loopback', '10.0.0.1', '10.0.0.0/8, fd00::/8', 'loopback,uniquelocal'])(
  'TRUST_PROXY %j is taken',
  (value) => expect(compileTrustProxy(value)).toBeTypeOf('function'),
);
