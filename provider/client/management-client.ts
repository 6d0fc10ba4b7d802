import type { Parameters } from "../../spec/operation";
import type { OperationName, Operations } from "../../spec/table";
import type { Clock } from "./clock";
import type { Reading } from "./reading";
import type { Redactor } from "./redactor";

/** How the client proves who it is. */
export type Credentials =
  | {
      readonly kind: "token";
      /** Asked at each request, so that a rotated token is honoured. */
      readonly accessToken: () => string | undefined | Promise<string | undefined>;
    }
  | {
      readonly kind: "oauth";
      readonly clientId: string;
      readonly clientSecret: string;
      readonly refreshToken: string;
      readonly onRefreshTokenRotated?: (refreshToken: string) => void;
    };

export interface ClientOptions {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly clock?: Clock;
  /** Receives one redacted line per request: method, path, status, milliseconds. */
  readonly log?: (line: string) => void;
  readonly requestTimeoutMs?: number;
  readonly userAgent?: string;
  /** Connections kept at most. */
  readonly connections?: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Clock time after which the call gives up. */
  readonly deadlineMs?: number;
  /** Told what the call waits for. */
  readonly progress?: (message: string) => void;
}

type Calls = {
  readonly [N in OperationName]: (
    parameters: Parameters<Operations[N]>,
    options?: CallOptions,
  ) => Promise<Reading<Operations[N]>>;
};

export type ManagementClient = Calls & {
  readonly redactor: Redactor;
  /** Requests sent so far, repeated ones and token exchanges included. */
  callCount(): number;
  /** Cancels unfinished calls and closes all connections. */
  close(): Promise<void>;
};

export function createManagementClient(options: ClientOptions): ManagementClient {
  throw new Error(`not connected to ${options.baseUrl}`);
}
