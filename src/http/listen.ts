import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartError } from '../errors/start-error.js';

/** Errors of bind(2) and getaddrinfo(3) that the address causes, not the port. */
const ADDRESS_ERROR = /^(?:EADDRNOTAVAIL|EAFNOSUPPORT|EINVAL|ENOTFOUND|EAI_\w+)$/;

/**
 * Listens on the port and address.
 * @param variable the setting of the port
 * @returns the port, which differs where 0 was asked for
 * @throws {StartError}
 */
export async function listen(
  server: Server,
  variable: string,
  port: number,
  host: string | undefined,
): Promise<number> {
  try {
    server.listen({ port, ...(host !== undefined && { host }) });
    await once(server, 'listening');
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    if (ADDRESS_ERROR.test(code)) {
      throw new StartError(
        `HOST: cannot listen on ${host ?? 'any address'} (${code}). Set an address of this machine.`,
      );
    }
    throw new StartError(`${variable}: cannot listen on port ${port} (${code}). Choose another port.`);
  }
  return (server.address() as AddressInfo).port;
}
