/** A repository into which nothing was written, and why. */
export class InitError extends Error {}
