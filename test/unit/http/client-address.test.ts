import express, { type Request } from 'express';
import { describe, expect, it } from 'vitest';
import { clientAddress, clientKey, compileTrustProxy } from '../../../src/http/client-address.js';

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

describe('the client address', () => {
  it.each<[string, string, string, string[]]>([
    ['a proxy on this machine is trusted', DEFAULT, '203.0.113.1', ['203.0.113.1']],
    ['ports are no part of it', DEFAULT, '203.0.113.1', ['203.0.113.1:1000', '203.0.113.1:2000']],
    [
      'forged entries on the left do not count',
      DEFAULT,
      '203.0.113.1',
      ['1.1.1.1, 203.0.113.1', 'x, 203.0.113.1', '9.9.9.9,8.8.8.8,203.0.113.1'],
    ],
    [
      'inner proxies are skipped',
      DEFAULT,
      '203.0.113.1',
      ['203.0.113.1, 10.0.0.7', '203.0.113.1, 10.0.0.8, 127.0.0.1', '203.0.113.1, 10.0.0.7:4711'],
    ],
    [
      'what is not an address counts as the proxy itself',
      DEFAULT,
      '127.0.0.1',
      ['garbage', 'unknown', '_hidden', '999.1.1.1', ''],
    ],
    ['IPv4 mapped to IPv6 is IPv4', DEFAULT, '203.0.113.1', ['::ffff:203.0.113.1']],
    ['a zone is no part of it', DEFAULT, 'fe80::1', ['fe80::1%eth0']],
    ['off trusts nobody', 'off', '127.0.0.1', ['203.0.113.1', '203.0.113.3, 203.0.113.4']],
    ['one hop takes the last entry', '1', '203.0.113.1', ['9.9.9.9, 203.0.113.1', '203.0.113.1']],
    [
      'two hops take the one before it',
      '2',
      '203.0.113.1',
      ['9.9.9.9, 203.0.113.1, 198.51.100.1', '203.0.113.1, 198.51.100.2'],
    ],
    [
      'only the listed proxies are trusted',
      '127.0.0.1, 198.51.100.0/24',
      '203.0.113.1',
      ['9.9.9.9, 203.0.113.1, 198.51.100.7', '203.0.113.1, 198.51.100.9:443'],
    ],
    ['a proxy that is not listed is the client', '198.51.100.0/24', '127.0.0.1', ['203.0.113.1']],
  ])('%s', (_title, trustProxy, address, chains) => {
    for (const chain of chains) {
      expect([chain, clientAddress(requestFrom(chain, trustProxy))]).toEqual([chain, address]);
    }
  });

  it('is that of the connection without a proxy', () => {
    expect(clientAddress(requestFrom(undefined, DEFAULT, '::ffff:198.51.100.1'))).toBe('198.51.100.1');
    expect(clientAddress(requestFrom('203.0.113.1', DEFAULT, '198.51.100.1'))).toBe('198.51.100.1');
  });
});

describe('the key of the limiter', () => {
  const key = (address: string) => clientKey(requestFrom(address));

  it('is the /56 of an IPv6 address', () => {
    expect(key('2001:db8:1:100::1')).toBe(key('2001:db8:1:1ff::2'));
    expect(key('2001:db8:1:100::1')).toBe(key('[2001:db8:1:100::9]:443'));
    expect(key('2001:db8:1:100::1')).not.toBe(key('2001:db8:1:200::1'));
  });

  it('is the whole IPv4 address', () => {
    expect(key('203.0.113.1')).toBe(key('::ffff:203.0.113.1'));
    expect(key('203.0.113.1')).not.toBe(key('203.0.113.2'));
  });
});

describe('TRUST_PROXY', () => {
  it.each(['true', 'TRUE', 'abc', '10.0.0.0/99', '-1', '1.5', ',', '10.0.0.1;10.0.0.2'])(
    '%j is refused with a reason',
    (value) => expect(() => compileTrustProxy(value)).toThrow(/^must /),
  );

  it.each(['off', '0', '1', '2', 'loopback', '10.0.0.1', '10.0.0.0/8, fd00::/8', 'loopback,uniquelocal'])(
    '%j is taken',
    (value) => expect(compileTrustProxy(value)).toBeTypeOf('function'),
  );
});
