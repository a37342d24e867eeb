import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { ERROR_CODES } from '../errors/catalog.js';
import type { RunObservation } from '../ring/commands.js';

/** What never changes while the process runs. */
export interface Capacity {
  version: string;
  /** Maximum concurrent ring processes. */
  slots: number;
  /** Decodes that may upload or wait. */
  queueLimit: number;
}

/** Values that are read at each scrape. */
export interface Gauges {
  queued: () => number;
  running: () => number;
  ready: () => boolean;
  /** True while the replicas share the limit through Redis. */
  limitShared: () => boolean;
}

const PREFIX = 'license_decoder_';

/** Seconds; from a cheap refusal to the longest upload with the longest decode. */
const DURATIONS = [0.005, 0.02, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 25, 55, 90, 150];

/**
 * The service's Prometheus metrics. Labels only take values from the code (commands of ring, error codes), never
 * anything from a request or a license.
 */
export class Metrics {
  readonly registry = new Registry();
  private readonly decodes = new Counter({
    name: `${PREFIX}decodes_total`,
    help: 'Decode requests by outcome: decoded, client_gone, or the error code',
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
    help: 'Time of one ring process, without the wait for a slot',
    labelNames: ['command', 'result'],
    buckets: DURATIONS,
    registers: [this.registry],
  });
  private readonly waitSeconds = new Histogram({
    name: `${PREFIX}queue_wait_seconds`,
    help: 'Time a ring process waited for a slot',
    buckets: DURATIONS,
    registers: [this.registry],
  });
  private readonly uploadBytes = new Counter({
    name: `${PREFIX}upload_bytes_total`,
    help: 'Bytes of the license files that were accepted',
    registers: [this.registry],
  });

  constructor({ version, slots, queueLimit }: Capacity, gauges: Gauges) {
    // rate() misses the first event of a counter that appears with it.
    for (const outcome of ['decoded', 'client_gone', ...ERROR_CODES]) this.decodes.inc({ outcome }, 0);
    new Gauge({
      name: `${PREFIX}build_info`,
      help: 'Always 1, with the version of the service',
      labelNames: ['version'],
      registers: [this.registry],
    }).set({ version }, 1);
    this.gauge('ring_slots', 'Maximum concurrent ring processes', () => slots);
    this.gauge('queue_limit', 'Decodes that may upload or wait', () => queueLimit);
    this.gauge(
      'queue_waiting',
      'Decodes that wait for their first ring process, and JVM tuning',
      gauges.queued,
    );
    this.gauge('ring_running', 'Concurrent ring processes', gauges.running);
    this.gauge('ready', '1 when decodes can be expected to work', () => Number(gauges.ready()));
    this.gauge(
      'limit_shared',
      '1 while all replicas share the limit through Redis, 0 while this one limits for itself',
      () => Number(gauges.limitShared()),
    );
  }

  /** Adds memory, CPU and the event loop of the process. The monitor of the loop wakes it up 100 times a second. */
  observeProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  private gauge(name: string, help: string, value: () => number): void {
    new Gauge({
      name: PREFIX + name,
      help,
      registers: [this.registry],
      collect() {
        this.set(value());
      },
    });
  }

  /** Observes each decode request when it was answered or its client has gone. */
  observeDecodes(): RequestHandler {
    return (req, res, next) => {
      const end = this.decodeSeconds.startTimer();
      res.once('close', () => {
        const outcome = res.headersSent ? (res.locals.failure?.code ?? 'decoded') : 'client_gone';
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
}
