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
  count(client: string): Promise<CountedUsage>;
  /**
   * Tells how much a client has used, and counts nothing.
   * @returns undefined where the store cannot tell at the moment
   */
  peek(client: string): Promise<Usage | undefined>;
}

/** What a client has used once its request is counted. */
export interface CountedUsage extends Usage {
  /**
   * Takes this request out of the count again. Only a store that all replicas share can do this.
   * @returns undefined if the store does not answer; the request may stay counted then
   */
  giveBack?: () => Promise<Usage | undefined>;
}
