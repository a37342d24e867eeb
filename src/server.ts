import { existsSync } from 'node:fs';
import { ConfigError, loadConfig, type Config } from './config.js';
import { createLogger } from './logger.js';
import { startService, StartError } from './service.js';

/** Boots the service: settings, log, service, signals. Nothing else may end the process. */
async function main(): Promise<void> {
  const config = readConfig();
  const log = createLogger(config.LOG_LEVEL);
  const service = await startService(config, log);

  let stopping = false;
  const stop = (reason: string, exitCode: number) => {
    if (stopping) {
      log.warn({ reason }, 'ending at once');
      service.abandon();
      process.exit(exitCode === 0 ? 130 : exitCode);
    }
    stopping = true;
    void service.stop(reason).finally(() => {
      process.exit(exitCode);
    });
  };
  process.on('SIGTERM', () => {
    stop('SIGTERM', 0);
  });
  process.on('SIGINT', () => {
    stop('SIGINT', 0);
  });
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unexpected exception');
    stop('an unexpected exception', 1);
  });
}

function readConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return loadConfig(process.env);
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError || error instanceof StartError) {
    process.stderr.write(`The service can't start:\n${error.message}\n`);
  } else {
    process.stderr.write(
      `The service can't start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
  }
  process.exitCode = 1;
});
