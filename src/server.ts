import './node-version.js';
import { constants } from 'node:os';
import { startService } from './bootstrap.js';
import { readConfig } from './config/settings.js';
import { StartError } from './errors/start-error.js';
import { createLogger, logWritten } from './monitoring/logger.js';

/** Starts the service and stops it on a signal. Nothing else may end the process. */
async function main(): Promise<void> {
  // Uploads and what ring writes are for nobody else.
  process.umask(0o077);
  const config = readConfig();
  const log = createLogger(config.LOG_LEVEL);
  const service = await startService(config, log);

  const stop = (reason: string, exitCode: number, forcedExitCode: number) => {
    if (service.isStopping) {
      log.warn({ reason }, 'stopping at once');
      service.forceStop();
      process.exit(forcedExitCode);
    }
    // A stop that fails is an unexpected exception too.
    void service
      .stop(reason)
      .then(logWritten)
      .then(() => process.exit(exitCode));
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const) {
    // 128 + the signal, as shells report it.
    process.on(signal, () => stop(signal, 0, 128 + constants.signals[signal]));
  }
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unexpected exception');
    stop('an unexpected exception', 1, 1);
  });
  // After the handlers: a signal may follow this line at once.
  const { port, metricsPort } = service;
  log.info({ port, metricsPort, concurrency: config.RING_CONCURRENCY }, 'listening');
}

main().catch((error: unknown) => {
  const isExpected = error instanceof StartError;
  const { message, stack = message } = error as Error;
  const reason = isExpected ? message : 'unexpected error';
  createLogger('info').fatal({ reason }, 'the service cannot start');
  process.stderr.write(`The service cannot start:\n${isExpected ? message : stack}\n`);
  process.exit(1);
});
