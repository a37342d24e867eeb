import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { RequestHandler, Response } from 'express';
import { ERROR_CODES } from '../errors/catalog.js';
import { version } from '../config/settings.js';
import type { InstallationMonitor } from '../ring/installation/monitor.js';
import type { RunObservation } from '../ring/ring.js';
import type { RingSlots } from '../ring/slots.js';

/** Parts of the service whose state is read at each scrape. Runs and decodes are counted as they end instead. */
export interface MetricSources {
  slots: RingSlots;
  monitor: InstallationMonitor;
  /** Decodes that may upload or wait. */
  queueLimit: number;
  /** The limit in Redis, and whether it is shared there at present; undefined without REDIS_URL. */
  redis: { isShared: boolean | undefined } | undefined;
}

/** Seconds; from a cheap refusal to the longest upload with the longest decode. */
const DURATIONS = [0.005, 0.02, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 25, 55, 90, 150];

/**
 * The service's Prometheus metrics. Their labels only hold values from the code, nothing from a request or a license.
 * `license-folders/` adds the metrics about the licenses in LICENSES_DIR.
 */
export class Metrics {
  readonly registry = new Registry();
  private readonly decodes = new Counter(
    this.metric(
      'decodes_total',
      'Decode requests by outcome: decoded, client_gone, or the error code',
      'outcome',
    ),
  );
  private readonly decodeSeconds = this.durations(
    'decode_duration_seconds',
    'Time from the headers of a decode request to its answer',
    'outcome',
  );
  private readonly runSeconds = this.durations(
    'ring_run_duration_seconds',
    'Time of one ring process of a decode, without the wait for a slot',
    'command',
    'result',
  );
  private readonly waitSeconds = this.durations(
    'queue_wait_seconds',
    'Time that a decode waited for the slot of a ring process, or until it was given up',
  );
  private readonly uploadBytes = new Counter(
    this.metric('upload_bytes_total', 'Bytes of the license files that were accepted'),
  );

  constructor({ slots, monitor, queueLimit, redis }: MetricSources) {
    // A counter that only appears with its first event is not seen to grow by it: rate() would miss that event.
    const outcomes = ['decoded', 'client_gone', ...ERROR_CODES];
    for (const outcome of outcomes) this.decodes.inc({ outcome }, 0);
    const info = new Gauge(this.metric('build_info', 'Always 1, with the version of the service', 'version'));
    info.set({ version }, 1);
    this.gauge(
      'ring_slots',
      'Maximum concurrent ring processes, without those of polls',
      () => slots.concurrency,
    );
    this.gauge('queue_limit', 'Decodes that may upload or wait', () => queueLimit);
    this.gauge(
      'queue_waiting',
      'Runs that wait for a slot: decodes that have not begun, and JVM tuning',
      () => slots.queued,
    );
    this.gauge('ring_running', 'Concurrent ring processes, without those of polls', () => slots.running);
    this.gauge('ready', '1 when decodes can be expected to work', () => monitor.ready);
    if (redis) {
      const help = '1 while this replica shares the limit through Redis, 0 while it limits for itself';
      this.gauge('limit_shared', help, () => redis.isShared === true);
    }
  }

  /**
   * Adds memory, CPU and the event loop of the process. To measure the loop wakes the process up 110 times a second, so
   * this is left out where nobody scrapes.
   */
  observeProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  private metric<Label extends string = never>(name: string, help: string, ...labelNames: Label[]) {
    return { name: `license_decoder_${name}`, help, labelNames, registers: [this.registry] };
  }

  private durations<Label extends string = never>(name: string, help: string, ...labels: Label[]) {
    return new Histogram({ ...this.metric(name, help, ...labels), buckets: DURATIONS });
  }

  /** A gauge whose value is looked up at each scrape. */
  private gauge(name: string, help: string, value: () => number | boolean): void {
    const gauge: Gauge = new Gauge({
      ...this.metric(name, help),
      collect: () => {
        gauge.set(Number(value()));
      },
    });
  }

  /** Observes each decode request when it was answered or its client has gone. */
  observeDecodes(): RequestHandler {
    return (req, res, next) => {
      const end = this.decodeSeconds.startTimer();
      res.once('close', () => {
        const outcome = outcomeOf(res);
        this.decodes.inc({ outcome });
        end({ outcome });
        if (req.file) this.uploadBytes.inc(req.file.size);
      });
      next();
    };
  }

  /** Observes a wait for a slot that has ended. */
  observeWait(seconds: number): void {
    this.waitSeconds.observe(seconds);
  }

  /** Observes a run of ring that has ended. */
  observeRun({ command, result, seconds }: RunObservation): void {
    this.runSeconds.observe({ command, result }, seconds);
  }
}

/** `decoded`, the code of the error, or that the connection was closed before the answer began. */
function outcomeOf(res: Response): string {
  if (!res.headersSent) return 'client_gone';
  return res.locals.failure?.code ?? 'decoded';
}
