/** Where clients of Postgres reach a database. */
export interface DatabaseAddress {
  readonly host: string;
  readonly port: number;
}

/** The databases of an emulator as clients of Postgres reach them. */
export interface DatabaseAddresses {
  /** Of one project, or of a branch's preview project. */
  of(ref: string): DatabaseAddress;
  /** Which addresses of this machine are the databases' own, so that a later start can take the same; undefined for none. */
  readonly block: number | undefined;
  /** Of all, for a user that names the project: `postgres.<ref>`. */
  readonly pooler: DatabaseAddress;
}
