import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readList, type Command } from '../ring/commands.js';
import type { RingLanguage } from '../ring/environment.js';
import { createMadeUpLicense } from '../ring/jvm/make-archive.js';
import type { Findings } from './findings.js';
import { onOther, runCommand, type ReportedRun, type RingInUse } from './ring-runs.js';

/** Both languages of ring. A report has the texts of both, because the service must understand either. */
const LANGUAGES = ['ru', 'en'] as const;

/** What ring printed of a license that `list` has named. */
interface LicenseRuns {
  pin: string;
  info: ReportedRun;
  validate: ReportedRun;
  debugValidate: ReportedRun;
}

/** The commands of a decode in one language. */
export interface TriedDecode {
  language: RingLanguage;
  /** Undefined when `list` names no license, without which the other commands cannot run. */
  license: LicenseRuns | undefined;
}

/** Runs ring's commands, and says of each whether it ran. */
export class RingTrial {
  readonly runs: ReportedRun[] = [];
  /** Whether ring starts its module without a file; undefined until somebody asks. */
  private startsModule: Promise<boolean> | undefined;

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
  async runLicense(file: Buffer): Promise<TriedDecode[]> {
    const licenses = await this.directoryWith(file, 'license');
    const decodes: TriedDecode[] = [];
    for (const language of LANGUAGES) {
      const license = await this.runDecode(licenses, language);
      decodes.push({ language, license });
    }

    const copy = damagedCopy(file);
    const damaged = await this.directoryWith(copy, 'damaged');
    const attempted = await runCommand(this.ring, { name: 'list' }, damaged);
    const titled = onOther(attempted, 'damaged copy');
    await this.addOnOther(titled);
    return decodes;
  }

  private async runDecode(licenses: string, language: RingLanguage): Promise<TriedDecode['license']> {
    const ring = { ...this.ring, language };
    const runOne = async (command: Command) => {
      const attempted = await runCommand(ring, command, licenses);
      this.add(attempted);
      return attempted;
    };

    const list = await runOne({ name: 'list' });
    const named = readList(list);
    if (named === undefined) return undefined;

    const { name: license, pin } = named;
    return {
      pin,
      info: await runOne({ name: 'info', license }),
      validate: await runOne({ name: 'validate', license }),
      debugValidate: await runOne({ name: 'validate', license, debug: true }),
    };
  }

  /**
   * Adds a run on another file than the license. If the launcher refused the command, its module may be missing, or the
   * file may be the reason, which is no fault of ring. A run without a file tells which.
   * @returns whether ring starts its module
   */
  private async addOnOther(attempted: ReportedRun): Promise<boolean> {
    if (attempted.isRefused) this.startsModule ??= this.askForModule();

    const isFileRefused = attempted.isRefused && (await this.startsModule);
    if (isFileRefused) {
      this.findings.good(`${attempted.title}: the launcher refused the file, but starts its module`);
      this.runs.push(attempted);
      return true;
    }

    this.add(attempted);
    return attempted.failure === undefined;
  }

  /** Runs `list` on a directory without licenses, as the service does. */
  private async askForModule(): Promise<boolean> {
    const empty = join(this.ring.directory, 'no-licenses');
    await mkdir(empty);
    const attempted = await runCommand(this.ring, { name: 'list' }, empty);
    const starts = attempted.failure === undefined;

    // Otherwise the check of the module has said so already.
    if (starts) this.add(onOther(attempted, 'directory without licenses'));
    return starts;
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
