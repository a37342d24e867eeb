import proxyaddr from 'proxy-addr';

/** Whether the address, `hop` steps away from this process, is a proxy whose X-Forwarded-For is trusted. */
export type TrustProxy = (address: string, hop: number) => boolean;

/** The value that `on`, `yes` and `true` stand for: the proxies of this machine and of private networks. */
export const DEFAULT_TRUST_PROXY = 'loopback, linklocal, uniquelocal';

/** Proxies in a row. A larger number is meant as an address, or mistyped. */
const MAX_HOPS = 16;

const EXPECTED = `must be on, off, a number of proxies up to ${MAX_HOPS}, or a list of addresses, CIDRs, loopback, linklocal and uniquelocal`;

const IPV4_WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$/;
const IPV6_IN_BRACKETS = /^\[([^\]]+)\](?::\d+)?$/;

/**
 * The address without port and zone; an IPv4 address that is mapped to IPv6 as IPv4. Some proxies (Azure's among them)
 * write `ip:port`, and with its port each connection would count as a new client.
 */
export function plainAddress(address: string): string {
  const withPort = IPV4_WITH_PORT.exec(address) ?? IPV6_IN_BRACKETS.exec(address);
  const host = withPort?.[1] ?? address;
  const withoutZone = host.replace(/%.*$/, '');
  return withoutZone.replace(/^::ffff:(?=\d+\.)/i, '');
}

/**
 * Compiles TRUST_PROXY: a number of hops, a list of addresses, CIDRs and the names `loopback`, `linklocal` and
 * `uniquelocal`, or a word that turns trust on or off.
 * @throws {Error} with a message for the operator
 */
export function compileTrustProxy(value: string): TrustProxy {
  const setting = value.trim().toLowerCase();
  switch (setting) {
    case 'true':
    case 'on':
    case 'yes':
      return compileAddresses(DEFAULT_TRUST_PROXY);
    case 'false':
    case 'off':
    case 'no':
      return () => false;
  }

  const isNumber = /^\d+$/.test(setting);
  const hops = Number(setting);
  if (isNumber && hops <= MAX_HOPS) return (_address, hop) => hop < hops;
  return compileAddresses(setting);
}

function compileAddresses(list: string): TrustProxy {
  const entries = list.split(',').map((entry) => entry.trim());
  if (entries.some(isBareNumber)) throw new Error(EXPECTED);

  try {
    const isTrusted = proxyaddr.compile(entries);
    return (address, hop) => isTrusted(plainAddress(address), hop);
  } catch {
    throw new Error(EXPECTED);
  }
}

/** Whether an entry is a number such as `2130706433` or `0x1`, which proxy-addr would take for an IPv4 address. */
function isBareNumber(entry: string): boolean {
  return /^\d[^.:]*$/.test(entry);
}
