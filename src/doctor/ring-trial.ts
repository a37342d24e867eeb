import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readList, type Command } from '../ring/commands.js';
import type { RingLanguage } from '../ring/environment.js';
import { createMadeUpLicense } from '../ring/jvm/archive.js';
import type { Findings } from './findings.js';
import {
  askForModule,
  hasRefusedFile,
  LANGUAGES,
  onOther,
  runCommand,
  type ReportedRun,
  type RingInUse,
} from './ring-runs.js';

/** Runs ring's commands, and says of each whether it ran. */
export class RingTrial {
  readonly runs: ReportedRun[] = [];

  constructor(
    private readonly ring: RingInUse,
    private readonly findings: Findings,
  ) {}

  /** Runs `list` on a file that is no license. @returns whether ring has started its module */
  async runMadeUpFile(): Promise<boolean> {
    const licenses = join(this.ring.directory, 'made-up-license');
    await createMadeUpLicense(licenses);
    const attempted = await runCommand(this.ring, { name: 'list' }, licenses);
    const titled = onOther(attempted, 'made-up file');
    return this.addOnOther(titled);
  }

  /** Runs the commands of a decode in both languages, and then `list` on a damaged copy of the license. */
  async runLicense(file: Buffer): Promise<void> {
    const licenses = await this.directoryWith(file, 'license');
    for (const language of LANGUAGES) {
      await this.runDecode(licenses, language);
    }

    const copy = damagedCopy(file);
    const damaged = await this.directoryWith(copy, 'damaged');
    const attempted = await runCommand(this.ring, { name: 'list' }, damaged);
    const titled = onOther(attempted, 'damaged copy');
    await this.addOnOther(titled);
  }

  /** Without the name, which `list` finds out, the other commands cannot run. */
  private async runDecode(licenses: string, language: RingLanguage): Promise<void> {
    const ring = { ...this.ring, language };
    const runOne = async (command: Command) => {
      const attempted = await runCommand(ring, command, licenses);
      this.add(attempted);
      return attempted;
    };

    const list = await runOne({ name: 'list' });
    const license = readList(list)?.name;
    if (license === undefined) return;

    await runOne({ name: 'info', license });
    await runOne({ name: 'validate', license });
    await runOne({ name: 'validate', license, debug: true });
  }

  /**
   * Adds a run on another file than the license. If the launcher refused the command, its module may be missing, or the
   * file may be the reason. A run without a file tells which.
   * @returns whether ring starts its module
   */
  private async addOnOther(attempted: ReportedRun): Promise<boolean> {
    if (attempted.isRefused && !hasRefusedFile(attempted, this.runs)) {
      const withoutFile = await askForModule(this.ring);
      // Otherwise the check of the module has said so already.
      if (withoutFile.failure === undefined) this.add(withoutFile);
    }

    if (hasRefusedFile(attempted, this.runs)) {
      this.findings.good(`${attempted.title}: the launcher refused the file, but starts its module`);
      this.runs.push(attempted);
      return true;
    }

    this.add(attempted);
    return attempted.failure === undefined;
  }

  private add(attempted: ReportedRun): void {
    this.findings.checkRun(attempted);
    this.runs.push(attempted);
  }

  private async directoryWith(file: Buffer, name: string): Promise<string> {
    const path = join(this.ring.directory, name);
    await mkdir(path);
    await writeFile(join(path, 'license.lic'), file);
    return path;
  }
}

/** A copy of the license with its first half overwritten, where the permit is. */
function damagedCopy(file: Buffer): Buffer {
  const copy = Buffer.from(file);
  const half = Math.floor(file.length / 2);
  copy.fill('A', 0, half);
  return copy;
}
