/** How much of its limit a client has used. */
export interface Usage {
  /** Requests that were counted in the current window. */
  hits: number;
  /** Milliseconds until the window ends; those of a whole window where the next request begins one. */
  leftMs: number;
}

/** Counts the requests of each client in windows. The window of a client begins with its first request. */
export interface LimitStore {
  /** Counts a request of a client. */
  count(client: string): Promise<Usage>;
  /**
   * Tells how much a client has used, and counts nothing.
   * @returns undefined where the store cannot tell at the moment
   */
  peek(client: string): Promise<Usage | undefined>;
  /**
   * Takes one request of a client out of the count again.
   * @returns undefined where replicas do not share their counts at the moment; nothing is taken out then
   */
  giveBack(client: string): Promise<Usage | undefined>;
}
