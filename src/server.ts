import './node-version.js';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { startService } from './bootstrap.js';
import { readConfig, version } from './config/settings.js';
import { StartError } from './errors/start-error.js';
import { createLogger, logWritten } from './monitoring/logger.js';

/** Starts the service. Once it has started, only a signal or an unexpected exception stops it. */
async function main(): Promise<void> {
  // No other user may read the uploads and the files of ring.
  process.umask(0o077);
  const config = readConfig();
  const log = createLogger(config.LOG_LEVEL);
  log.info({ version }, 'starting');
  const service = await startService(config, log);

  const stop = async (reason: string, exitCode: number, forcedExitCode: number) => {
    if (service.isStopping) {
      log.warn({ reason }, 'stopping at once');
      service.forceStop();
      process.exit(forcedExitCode);
    }

    // A rejection of this reaches `uncaughtException` below, and because the service is already stopping then, the
    // process ends at once.
    await service.stop(reason);
    await logWritten();
    process.exit(exitCode);
  };
  const stopAt = (signal: NodeJS.Signals) => {
    // Shells report a signal as 128 plus its number.
    const forcedExitCode = 128 + constants.signals[signal];
    process.on(signal, () => void stop(signal, 0, forcedExitCode));
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGQUIT'] as const) stopAt(signal);

  // The end of a session sends SIGHUP. `nohup` takes the terminal away from standard input and has the signal ignored,
  // but Node.js resets that, and without a handler the signal would end the process.
  if (isatty(0)) stopAt('SIGHUP');
  else process.on('SIGHUP', () => log.info('SIGHUP is ignored'));

  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unexpected exception');
    void stop('an unexpected exception', 1, 1);
  });

  // This line comes after the handlers, because whoever reads it may send a signal at once.
  const { address, port, metricsPort } = service;
  log.info({ address, port, metricsPort, concurrency: config.RING_CONCURRENCY }, 'listening');
}

main().catch((error: unknown) => {
  const { message, stack = message } = error as Error;
  const isExpected = error instanceof StartError;
  const reason = isExpected ? message : 'unexpected error';
  const shown = isExpected ? message : stack;
  createLogger('info').fatal({ reason }, 'the service cannot start');
  process.stderr.write(`The service cannot start:\n${shown}\n`);
  process.exit(1);
});
