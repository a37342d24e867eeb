import { isIP } from 'node:net';
import type { Request } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import proxyaddr from 'proxy-addr';

/** Tells whether the address, `hop` steps away from this process, is a proxy whose X-Forwarded-For is believed. */
export type TrustProxy = (address: string, hop: number) => boolean;

/**
 * IPv6 clients are counted by the /56 that a home or a small site usually gets (RIPE-690, section 4.2):
 * by the single address, one client would have 2^72 quotas.
 */
const IPV6_PREFIX = 56;

/** Some proxies (Azure's among them) write `ip:port`, which would be a new client for each connection. */
function withoutPort(address: string): string {
  const match = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([^\]]+)\](?::\d+)?)$/.exec(address);
  return match?.[1] ?? match?.[2] ?? address;
}

/**
 * Compiles TRUST_PROXY: a hop count, a list of addresses, CIDRs and the names `loopback`, `linklocal`,
 * `uniquelocal`, or `off`.
 * @throws {Error} with the reason, for an operator
 */
export function compileTrustProxy(value: string): TrustProxy {
  const setting = value.trim().toLowerCase();
  if (setting === 'off') return () => false;
  if (setting === 'true') {
    throw new Error(
      'must not be "true": a client could then write any address into X-Forwarded-For and never be limited; ' +
        'give the number of proxies or their addresses',
    );
  }
  if (/^\d+$/.test(setting)) {
    const hops = Number(setting);
    return (_address, hop) => hop < hops;
  }
  let trusted: (address: string, hop: number) => boolean;
  try {
    trusted = proxyaddr.compile(setting.split(',').map((entry) => entry.trim()));
  } catch {
    throw new Error(
      'must be a number of proxies, a list of addresses, CIDRs, loopback, linklocal and uniquelocal, or off',
    );
  }
  return (address, hop) => trusted(withoutPort(address), hop);
}

/**
 * The client's IP address as the trusted proxies tell it, without a port or a zone. What is no address at
 * all was not written by a proxy, so then the other end of the connection counts.
 */
export function clientAddress(req: Request): string {
  for (const candidate of [req.ip, req.socket.remoteAddress]) {
    const address = withoutPort(candidate ?? '')
      .replace(/%.*$/, '')
      .replace(/^::ffff:(?=\d+\.)/i, '');
    if (isIP(address) !== 0) return address;
  }
  return 'unknown';
}

/** What the limiter counts by: the IPv4 address, or the IPv6 network of {@link IPV6_PREFIX} bits. */
export function clientKey(req: Request): string {
  return ipKeyGenerator(clientAddress(req), IPV6_PREFIX);
}
