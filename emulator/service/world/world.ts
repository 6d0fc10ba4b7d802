import type { IssuedWords } from "../../../spec/names/names";
import type { CallHistory } from "./call-record";
import type { Clock } from "./clock";
import type { DatabaseAddresses } from "./database-addresses";
import type { Databases } from "../../postgres/databases/databases";
import type { RunningStatements } from "./running-statements";
import type { WorldState } from "./state";

/** The emulated service as handlers see it. */
export interface World {
  readonly state: WorldState;
  readonly clock: Clock;
  /** The calls that were made to the API so far. */
  readonly calls: CallHistory;
  /** The projects' databases. */
  readonly databases: Databases;
  /** What they have been working on for a while. */
  readonly statements: RunningStatements;
  /** Where clients of Postgres reach them; undefined where they do not. */
  readonly addresses: DatabaseAddresses | undefined;
  /** Factor on every settling duration: 1 is as slow as the running service, 0.01 a hundred times faster. */
  readonly pace: number;
  /** The service's own words in what it issues, such as API keys. */
  readonly issued: IssuedWords;
  /** A fresh UUID. */
  newId(): string;
  /** A fresh reference of twenty lower-case letters, never given out before. */
  newRef(): string;
}
