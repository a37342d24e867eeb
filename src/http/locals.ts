import type { ServerResponse } from 'node:http';
import type { TokenProblem } from '../errors/token-problems.js';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- Express types res.locals through this namespace only.
  namespace Express {
    interface Locals {
      /** The request has a valid token. */
      authenticated?: boolean;
      /** The request has a Bearer token that is not accepted. */
      tokenProblem?: TokenProblem;
      /** The `sub` claim of a valid token, for the log. */
      subject?: string;
      /** Tells a valid token from others. */
      tokenHash?: string;
      /** The error that was answered, for log and metrics. */
      failure?: { code: string; detail?: string };
    }
  }
}

/** A response as the log and the metrics see it. */
export type ExpressResponse = ServerResponse & { locals?: Express.Locals };
