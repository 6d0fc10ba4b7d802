/** A command line that cannot be followed; the message is all that the user needs to see. */
export class CommandLineError extends Error {}
