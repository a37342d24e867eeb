import { createServer, type Server } from 'node:http';
import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { ERROR_CODES } from './errors.js';
import type { RunFailure } from './ring/run.js';

/** A run of ring: the command, without its arguments, and how it ended; a verdict against the licence is `failed`, too. */
export interface RunObservation {
  command: string;
  result: 'ok' | 'failed' | RunFailure;
  seconds: number;
}

/** What is asked for at each scrape. */
export interface Gauges {
  queued: () => number;
  running: () => number;
  ready: () => boolean;
  /** True while the limit is counted in Redis. */
  limitShared: () => boolean;
}

const PREFIX = 'license_decoder_';

/** Seconds; from a cheap refusal to the decode's deadline. */
const DURATIONS = [0.005, 0.02, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 25, 55];

/**
 * The service's figures for Prometheus. Labels take only values from the code: commands of ring, codes of
 * errors; nothing of a request or a licence.
 */
export class Metrics {
  private readonly registry = new Registry();
  private readonly decodes = new Counter({
    name: `${PREFIX}decodes_total`,
    help: 'Decode requests by outcome: decoded, client_gone, or the code of the error',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  private readonly decodeSeconds = new Histogram({
    name: `${PREFIX}decode_duration_seconds`,
    help: 'Time from the headers of a decode request to its answer',
    labelNames: ['outcome'],
    buckets: DURATIONS,
    registers: [this.registry],
  });
  private readonly runSeconds = new Histogram({
    name: `${PREFIX}ring_run_duration_seconds`,
    help: 'Time of one run of ring, without waiting for a slot',
    labelNames: ['command', 'result'],
    buckets: DURATIONS,
    registers: [this.registry],
  });
  private readonly waitSeconds = new Histogram({
    name: `${PREFIX}queue_wait_seconds`,
    help: 'Time that a run of ring waited for a slot',
    buckets: DURATIONS,
    registers: [this.registry],
  });
  private readonly uploadBytes = new Counter({
    name: `${PREFIX}upload_bytes_total`,
    help: 'Bytes of the licence files that were taken',
    registers: [this.registry],
  });

  constructor(gauges: Gauges) {
    collectDefaultMetrics({ register: this.registry });
    // A counter that first appears with its first event shows no increase: rate() would miss that event.
    for (const outcome of ['decoded', 'client_gone', ...ERROR_CODES]) this.decodes.inc({ outcome }, 0);
    const gauge = (name: string, help: string, value: () => number) =>
      new Gauge({
        name: PREFIX + name,
        help,
        registers: [this.registry],
        collect() {
          this.set(value());
        },
      });
    gauge('queue_waiting', 'Decodes that wait for their first run of ring', gauges.queued);
    gauge('ring_running', 'Runs of ring that go on', gauges.running);
    gauge('ready', '1 when decodes can be expected to work', () => Number(gauges.ready()));
    gauge(
      'limit_shared',
      '1 while all replicas share the limit through Redis, 0 while this one counts for itself',
      () => Number(gauges.limitShared()),
    );
  }

  /** Observes each decode request when its answer has been sent, or its client has gone. */
  observeDecodes(): RequestHandler {
    return (req, res, next) => {
      const end = this.decodeSeconds.startTimer();
      res.once('close', () => {
        const outcome = res.writableFinished ? (res.locals.failure?.code ?? 'decoded') : 'client_gone';
        this.decodes.inc({ outcome });
        end({ outcome });
        if (req.file) this.uploadBytes.inc(req.file.size);
      });
      next();
    };
  }

  observeRun({ command, result, seconds }: RunObservation): void {
    this.runSeconds.observe({ command, result }, seconds);
  }

  observeWait(seconds: number): void {
    this.waitSeconds.observe(seconds);
  }

  /** Makes the server of `GET /metrics`, which must have a port of its own: figures are not for the public. */
  createServer(): Server {
    return createServer((req, res) => {
      if (req.method !== 'GET' || req.url !== '/metrics') {
        res.writeHead(404).end();
        return;
      }
      this.registry.metrics().then(
        (text) => res.writeHead(200, { 'Content-Type': this.registry.contentType }).end(text),
        () => res.writeHead(500).end(),
      );
    });
  }
}
