/** The service or the self-check cannot start. The message tells the operator why and what to do. */
export class StartError extends Error {}
