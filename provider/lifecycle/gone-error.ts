import { isNotFound, type NotFoundError } from "../client/errors";

/** What Pulumi's state has is not on the service any more; a refresh shows what is. */
class GoneError extends Error {
  constructor(type: string, id: string, cause: NotFoundError) {
    super(
      `The ${type} ${id} is not there any more: ${cause.message} Run \`pulumi refresh\` to see what is gone, then \`pulumi up\` makes it again.`,
      { cause },
    );
  }
}

/** Says what to do about an object that vanished while it was made or changed; any other error as it is. */
export function orGone(type: string, id: string, error: unknown): unknown {
  return isNotFound(error) ? new GoneError(type, id, error) : error;
}
