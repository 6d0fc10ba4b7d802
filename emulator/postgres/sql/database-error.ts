/** What Postgres says about a fault, in the words of its protocol. */
export interface DatabaseFault {
  readonly message: string;
  /** SQLSTATE, such as `42P01`. */
  readonly code: string;
  readonly severity: string;
  readonly detail: string | undefined;
  readonly hint: string | undefined;
  /** Where in the query, counted in characters from 1. */
  readonly position: string | undefined;
}

/** A statement that Postgres refused. */
export class DatabaseError extends Error {
  constructor(readonly fault: DatabaseFault) {
    super(fault.message);
  }
}
