import type { RingFailure } from '../ring-error.js';
import type { Installation } from './installation.js';

/** What a poll has found: the installation, and whether the service can write its files. */
export interface PollResult extends Installation {
  /** Why UPLOAD_DIR or TMP_BASE cannot be written to; undefined when both can. */
  storageProblem: string | undefined;
}

/** Whether decodes can be expected to work. */
export function canDecode({ jre, ring, module, storageProblem }: PollResult): boolean {
  const hasModule = module !== undefined && module.problem === undefined;
  return jre.isSupported && ring.isSupported && hasModule && storageProblem === undefined;
}

/** Failures that do not tell what is installed: a machine that is busy or short of memory causes them, too. */
const WITHOUT_ANSWER: RingFailure[] = ['timed_out', 'output_limit', 'killed', 'crashed'];

/** Whether every tool that was asked has answered, whatever it said. */
export function hasAnswered({ jre, ring, module }: Installation): boolean {
  const problems = [jre.problem, ring.problem, module?.problem];
  return problems.every((problem) => !problem || !WITHOUT_ANSWER.includes(problem.reason));
}
