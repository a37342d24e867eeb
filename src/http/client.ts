import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Request, Response } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { plainAddress } from '../config/trust-proxy.js';

/** A request as Express hands it on: `ip` is the client as the trusted proxies report it. */
type AddressedRequest = IncomingMessage & { ip?: string | undefined };

/** IPv6 clients count by the /56 of a home or small site (RIPE-690, section 4.2): a single one has 2^72 addresses. */
const IPV6_PREFIX = 56;

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
export function addressKey(req: AddressedRequest): string {
  return ipKeyGenerator(clientAddress(req), IPV6_PREFIX);
}

/** Who a request belongs to: its token, else the address of the client. */
export function clientOf(req: Request, res: Response): string {
  return res.locals.tokenHash ?? addressKey(req);
}
