import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';
import proxyaddr from 'proxy-addr';

/** Whether the address, `hop` steps away from this process, is a proxy whose X-Forwarded-For is trusted. */
export type TrustProxy = (address: string, hop: number) => boolean;

/** A request as Express hands it on: `ip` is the client as the trusted proxies report it. */
type AddressedRequest = IncomingMessage & { ip?: string | undefined };

/** IPv6 clients count by the /56 of a home or small site (RIPE-690, section 4.2): a single one has 2^72 addresses. */
const IPV6_PREFIX = 56;

const IPV4_WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$/;
const IPV6_IN_BRACKETS = /^\[([^\]]+)\](?::\d+)?$/;

/**
 * The address without port and zone; an IPv4 address that is mapped to IPv6 as IPv4. Some proxies (Azure's among them)
 * write `ip:port`, and with its port each connection would count as a new client.
 */
function plainAddress(address: string): string {
  const withPort = IPV4_WITH_PORT.exec(address) ?? IPV6_IN_BRACKETS.exec(address);
  const host = withPort?.[1] ?? address;
  const withoutZone = host.replace(/%.*$/, '');
  return withoutZone.replace(/^::ffff:(?=\d+\.)/i, '');
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
    // proxy-addr takes a bare number, such as each one of `1,2`, for an IPv4 address.
    const hasBareNumber = entries.some((entry) => !/[.:a-z]/.test(entry));
    if (hasBareNumber) throw new Error('a bare number');
    const isTrusted = proxyaddr.compile(entries);
    return (address, hop) => isTrusted(plainAddress(address), hop);
  } catch {
    throw new Error(
      'must be a number of proxies, a list of addresses, CIDRs, loopback, linklocal and uniquelocal, or off',
    );
  }
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

/** The limiter's key of a client: the IPv4 address, or the IPv6 network of {@link IPV6_PREFIX} bits. */
export function clientKey(req: AddressedRequest): string {
  return ipKeyGenerator(clientAddress(req), IPV6_PREFIX);
}
