/** The service cannot start; the message tells the operator why and what to do. */
export class StartError extends Error {}
