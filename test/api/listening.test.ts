import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { accepts, freePort, listenAnywhere } from '../support/servers.js';
import { startTestService } from '../support/service.js';
import type { TestSettings } from '../support/settings.js';
import { tempDirectory } from '../support/temp.js';

const INFO = 30;
const WARN = 40;

describe('a start that fails leaves no listener', () => {
  it.each<[string, (taken: string) => TestSettings, RegExp]>([
    ['PORT is taken', (PORT) => ({ PORT }), /PORT: .*EADDRINUSE/],
    ['METRICS_PORT is taken', (METRICS_PORT) => ({ METRICS_PORT }), /METRICS_PORT: .*EADDRINUSE/],
    ['HOST is of another machine', () => ({ HOST: '192.0.2.1' }), /^HOST: .*192\.0\.2\.1 \(EADDRNOTAVAIL\)/],
    ['HOST is no address', () => ({ HOST: 'x86_64-conda-linux-gnu' }), /^HOST: .*linux-gnu \(E\w+\)/],
    ['METRICS_HOST is no address', () => ({ METRICS_HOST: 'x.invalid' }), /^METRICS_HOST: .*x\.invalid/],
    ['TMP_BASE is below a file', () => ({ TMP_BASE: '/dev/null/x' }), /TMP_BASE: .*ENOTDIR/],
  ])('because %s', async (_title, bad, message) => {
    const taken = await listenAnywhere(createServer());
    const [port, metricsPort] = [await freePort(), await freePort()];
    const settings = {
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      ...bad(String(taken)),
    };
    await expect(startTestService(settings)).rejects.toThrow(message);
    expect([await accepts(port), await accepts(metricsPort)]).toEqual([false, false]);
  });
});

describe('the log says on which address the metrics are', () => {
  /** What the log says of the metrics of a service with these settings. */
  async function saidOfMetrics(settings: TestSettings) {
    const { log } = await startTestService({ METRICS_PORT: '0', ...settings });
    const lines = log.filter(({ msg }) => String(msg).includes('/metrics'));
    return lines.map(({ level, address }) => [level, address]);
  }

  it('that of HOST', async () => {
    expect(await saidOfMetrics({})).toEqual([[INFO, '127.0.0.1']]);
  });

  it('that of METRICS_HOST, without a warning if they show licenses on one', async () => {
    const LICENSES_DIR = await tempDirectory();
    expect(await saidOfMetrics({ LICENSES_DIR, METRICS_HOST: '127.0.0.2' })).toEqual([[INFO, '127.0.0.2']]);
  });

  it.each(['0.0.0.0', ''])('and warns if they show licenses on every one (%j)', async (address) => {
    const LICENSES_DIR = await tempDirectory();
    const settings = { LICENSES_DIR, HOST: address, METRICS_HOST: address };
    const info = [INFO, expect.stringMatching(/^(?:0\.0\.0\.0|::)$/) as string];
    expect(await saidOfMetrics(settings)).toEqual([info, [WARN, undefined]]);
  });
});
