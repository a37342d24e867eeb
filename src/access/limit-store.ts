/** How much of its limit a client has used. */
export interface Usage {
  /** Requests that were counted in the current window. */
  hits: number;
  /** Milliseconds until the window ends; those of a whole window where the next request begins one. */
  leftMs: number;
}

/** Counts the requests of each client in windows. The window of a client begins with its first request. */
export interface LimitStore {
  /**
   * Counts a request of a client.
   * @param requestId lets a store that replicas share recognize a request that a proxy repeats at another replica; it
   *   then counts once, and gets the same usage again
   */
  count(client: string, requestId?: string): Promise<Usage>;
  /**
   * Tells how much a client has used, and counts nothing.
   * @returns undefined where the store cannot tell at the moment
   */
  peek(client: string): Promise<Usage | undefined>;
}
