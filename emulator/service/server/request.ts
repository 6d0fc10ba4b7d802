import type { Operation } from "../../../spec/operation";
import type { OperationName } from "../../../spec/table";

export interface NamedOperation {
  readonly name: OperationName;
  readonly operation: Operation;
}

/** A call of the API as it came in, before anything is believed of it. */
export interface ApiRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly target: NamedOperation | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly clientAddress: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  header(name: string): string | undefined;
  /** To be called once. */
  readBody(): Promise<Uint8Array>;
}
