/** A state or a configuration file that cannot be used; the message is all that a user needs to see, and has no secret. */
export class SourceError extends Error {}
