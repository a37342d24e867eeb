import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';
import proxyaddr from 'proxy-addr';

/** Whether the address, `hop` steps away from this process, is a proxy whose X-Forwarded-For is trusted. */
export type TrustProxy = (address: string, hop: number) => boolean;

/** A request as Express hands it on: `ip` is the client as the trusted proxies report it. */
type AddressedRequest = IncomingMessage & { ip?: string | undefined };

/**
 * IPv6 clients are counted by the /56 that a home or a small site usually gets (RIPE-690, section 4.2): by single
 * address, one client would have 2^72 quotas.
 */
const IPV6_PREFIX = 56;

/** Some proxies (Azure's among them) write `ip:port`, which would be a new client for each connection. */
function withoutPort(address: string): string {
  const match = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([^\]]+)\](?::\d+)?)$/.exec(address);
  return match?.[1] ?? match?.[2] ?? address;
}

/**
 * Compiles TRUST_PROXY: a number of hops, a list of addresses, CIDRs and the names `loopback`, `linklocal` and
 * `uniquelocal`, or `off`.
 * @throws {Error} with a message for the operator
 */
export function compileTrustProxy(value: string): TrustProxy {
  const setting = value.trim().toLowerCase();
  if (setting === 'off') return () => false;
  if (setting === 'true') {
    throw new Error(
      'must not be "true": any client could then write its own address into X-Forwarded-For and avoid the limit; ' +
        'give the number of proxies or their addresses',
    );
  }
  if (/^\d+$/.test(setting)) {
    const hops = Number(setting);
    return (_address, hop) => hop < hops;
  }
  const entries = setting.split(',').map((entry) => entry.trim());
  try {
    // proxy-addr would take the 1 of `1,2` for an address.
    if (entries.some((entry) => !/[.:a-z]/.test(entry))) throw new Error('a bare number');
    const isTrusted = proxyaddr.compile(entries);
    return (address, hop) => isTrusted(withoutPort(address), hop);
  } catch {
    throw new Error(
      'must be a number of proxies, a list of addresses, CIDRs, loopback, linklocal and uniquelocal, or off',
    );
  }
}

/** The address without port and zone; an IPv4 address that is mapped to IPv6 as IPv4. */
export function plainAddress(address: string): string {
  return withoutPort(address)
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.)/i, '');
}

/**
 * The client's IP address as the trusted proxies report it, without port and zone. An entry that is not an address
 * was not written by a proxy; then the peer of the connection counts.
 */
export function clientAddress(req: AddressedRequest): string {
  for (const candidate of [req.ip, req.socket.remoteAddress]) {
    const address = plainAddress(candidate ?? '');
    if (isIP(address) !== 0) return address;
  }
  return 'unknown';
}

/** What the limiter counts by: the IPv4 address, or the IPv6 network of {@link IPV6_PREFIX} bits. */
export function clientKey(req: AddressedRequest): string {
  return ipKeyGenerator(clientAddress(req), IPV6_PREFIX);
}
