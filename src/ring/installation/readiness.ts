/** A decode that failed for a reason that no file can cause, such as a missing class. */
export interface InstallationFault {
  /** Whose decode it was. */
  client: string;
  /** Tells the file from others. */
  fingerprint: string;
}

/** Different files that have to fail in a row before decodes contradict a good poll. */
const FILES = 3;
/** Clients that those files have to come from, so that no client alone makes a replica not ready. */
const CLIENTS = 2;

export interface ReadinessOptions {
  /** Milliseconds for which the service is not ready after decodes have contradicted a good poll. Doubles each time. */
  pauseMs: number;
  /** Milliseconds that it never exceeds. */
  maxPauseMs: number;
}

/**
 * Whether decodes can be expected to work: what the last poll found, and what decodes have met since.
 *
 * A poll asks for versions and lists an empty directory. It cannot see a fault that only a real license meets, such as
 * a native library that `validate` alone loads. Such a fault shows when three different files of two clients or more
 * fail in a row for a reason that no file can cause, and no decode works in between. Then the service is not ready for
 * a pause. The first good poll after the pause makes it ready again, on probation: one more such failure begins the next
 * pause, which is twice as long. A decode that works ends pause and probation.
 *
 * Times are milliseconds of one clock, such as performance.now().
 */
export class Readiness {
  private pollWasGood = false;
  /** The last failures since a decode worked, each of another file: at most FILES - 1. */
  private faults: InstallationFault[] = [];
  /** Pauses since a decode has worked. After the first one the service is on probation. */
  private pauses = 0;
  private pausedUntil: number | undefined;

  constructor(private readonly options: ReadinessOptions) {}

  get isReady(): boolean {
    return this.pollWasGood && this.pausedUntil === undefined;
  }

  /** Whether the last poll found everything that a decode needs, regardless of what decodes have met. */
  get isInstalled(): boolean {
    return this.pollWasGood;
  }

  /** When a good poll may end the pause; undefined when there is none. */
  get pauseEnd(): number | undefined {
    return this.pausedUntil;
  }

  /** @param startedAt when the poll began: one that began earlier than the end of the pause cannot end it */
  pollEnded(isGood: boolean, startedAt: number): void {
    this.pollWasGood = isGood;
    if (!isGood || this.pausedUntil === undefined) return;

    const isPauseOver = startedAt >= this.pausedUntil;
    if (isPauseOver) this.pausedUntil = undefined;
  }

  decodeWorked(): void {
    this.faults = [];
    this.pauses = 0;
    this.pausedUntil = undefined;
  }

  /** @returns when the pause ends that this failure begins; undefined when it begins none */
  decodeFailed(fault: InstallationFault, now: number): number | undefined {
    // After a bad poll the service is not ready anyway, and the poll has found the reason.
    if (!this.isReady) return undefined;

    const isOnProbation = this.pauses > 0;
    if (!isOnProbation && !this.isProven(fault)) return undefined;

    const { pauseMs, maxPauseMs } = this.options;
    const doubledMs = pauseMs * 2 ** this.pauses;
    this.pausedUntil = now + Math.min(doubledMs, maxPauseMs);
    this.pauses += 1;
    this.faults = [];
    return this.pausedUntil;
  }

  /** Whether this failure and those before it cannot be due to one file or one client. */
  private isProven(fault: InstallationFault): boolean {
    const isSameFile = this.faults.some(({ fingerprint }) => fingerprint === fault.fingerprint);
    if (isSameFile) return false;

    const faults = [...this.faults, fault];
    const clients = new Set(faults.map(({ client }) => client));
    if (faults.length >= FILES && clients.size >= CLIENTS) return true;

    // Keep the last two. A third failure from another client completes the proof; a longer history could not complete
    // it sooner.
    this.faults = faults.slice(-(FILES - 1));
    return false;
  }
}
