import type { Method } from "../../spec/operation";
import type { OperationName } from "../../spec/table";

/** At which step of which resource a call was made. */
export interface Place {
  readonly type: string;
  readonly step: string;
}

/** A call and its answer, in the words of the specification. */
export interface Exchange extends Place {
  readonly operation: OperationName;
  readonly method: Method;
  /** The template of the path. */
  readonly path: string;
  /** The query and the body that were sent; a body that is no JSON is left out. */
  readonly query: Readonly<Record<string, string>>;
  readonly sent?: unknown;
  readonly status: number;
  /** JSON, or the text; absent for an empty body. */
  readonly answer?: unknown;
}
