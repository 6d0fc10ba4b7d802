import { isNotFound, type NotFoundError } from "../client/errors/errors";
import { resourceProblems } from "./problems";

/** What Pulumi's state has is not on the service any more; a refresh shows what is. */
class GoneError extends Error {
  constructor(type: string, id: string, cause: NotFoundError) {
    super(resourceProblems.gone.message({ type, id, cause: cause.message }), { cause });
  }
}

/** Says what to do about an object that vanished while it was made or changed; any other error as it is. */
export function orGone(type: string, id: string, error: unknown): unknown {
  return isNotFound(error) ? new GoneError(type, id, error) : error;
}
