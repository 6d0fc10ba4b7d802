import { NamesFileError, type Names } from "../../spec/names/names";
import { loadNames } from "../../spec/names/load-names";
import { parseBaseUrl } from "./transport/base-url";
import type { TraceListener } from "./call-trace";
import type { Clock } from "./clock";
import type { Credentials } from "./auth/credentials";
import { InvalidInputError } from "./errors/errors";
import { problems } from "./errors/problems";
import type { Redactor } from "./redaction/redactor";

export interface ClientOptions {
  /** Base URL of the Management API; the environment variable `MANAGEMENT_BASE_URL` when absent. */
  readonly baseUrl?: string | undefined;
  /**
   * An access token, or a function that is asked for it at each request; the environment variable
   * `MANAGEMENT_ACCESS_TOKEN` when absent. Calls of OAuth need none.
   */
  readonly accessToken?: string | AccessTokenSource | undefined;
  /** Another way to authenticate, in place of `accessToken`. */
  readonly credentials?: Credentials | undefined;
  /**
   * Path of a JSON file that says how this installation names the specification's placeholders; the environment variable
   * `MANAGEMENT_NAMES` when absent, and without it they are literal. A relative path begins at the working directory.
   */
  readonly names?: string | undefined;
  /**
   * Username, primary email or identifier of the account to which the token must belong. It is compared before the first write,
   * which is refused where the token belongs to another account.
   */
  readonly expectedAccount?: string | undefined;
  /** The clock by which the client waits: the system's when absent; a test may pass its own. */
  readonly clock?: Clock;
  /** Receives one redacted line per request: method, path, status, milliseconds. */
  readonly log?: (line: string) => void;
  /** Called for each request after it has ended. It must not throw. */
  readonly trace?: TraceListener | undefined;
  /**
   * How long a request may make no progress, in real time and milliseconds: while it waits for a connection, uploads,
   * waits for the answer or reads it. A long upload or download that goes on is not ended. When absent, 30 seconds; the answers to
   * SQL, migrations, deploys, differences, merges and restores are then waited for until the deadline of the call, or an hour.
   */
  readonly requestTimeoutMs?: number;
  /**
   * The largest answer that is read into memory, in bytes; streams have no limit. When absent, 64 MiB for functions' bodies, queries,
   * types, differences and logs, and 16 MiB for everything else. Of an error 64 KiB are read.
   */
  readonly largestAnswerBytes?: number;
  /** What a message about a refused access token advises, within a sentence: how the user of this client sets one. */
  readonly tokenAdvice?: string;
  /** The `user-agent` header. */
  readonly userAgent?: string;
  /** Shared with everything else that prints messages; the client adds its own secrets to it. */
  readonly redactor?: Redactor;
  /** Connections kept at most; 16 when absent. */
  readonly connections?: number;
}

type AccessTokenSource = () => string | undefined | Promise<string | undefined>;

export interface ServiceConnection {
  readonly baseUrl: string;
  readonly credentials: Credentials;
}

/**
 * How to reach the service, by the options first and then the environment. A refresh token in the environment is left
 * to the provider: each works once, and who uses it must keep the next.
 */
export function resolveConnection(options: ClientOptions, env: NodeJS.ProcessEnv): ServiceConnection {
  const baseUrl = options.baseUrl ?? env["MANAGEMENT_BASE_URL"];
  if (baseUrl === undefined || baseUrl === "") {
    throw new InvalidInputError(
      "baseUrl",
      "The base URL of the Management API is missing: pass `baseUrl` to the client, or set the environment variable MANAGEMENT_BASE_URL.",
    );
  }
  if (options.accessToken !== undefined && options.credentials !== undefined) {
    throw new InvalidInputError(
      "credentials",
      "`accessToken` and `credentials` cannot be combined: pass only one of them.",
    );
  }
  return { baseUrl: parseBaseUrl(baseUrl), credentials: credentialsOf(options, env) };
}

/** How the service names the placeholders; the file is read, and what reads it is loaded, only where there is one. */
export function resolveNames({ names: path }: Pick<ClientOptions, "names">, env: NodeJS.ProcessEnv): Names {
  const file = path ?? env["MANAGEMENT_NAMES"];
  try {
    return loadNames(file === "" ? undefined : file);
  } catch (error) {
    if (error instanceof NamesFileError)
      throw new InvalidInputError("names", problems.namesFile.message({ fault: error.fault }));
    throw error;
  }
}

function credentialsOf({ accessToken, credentials }: ClientOptions, env: NodeJS.ProcessEnv): Credentials {
  if (credentials !== undefined) return credentials;
  if (typeof accessToken === "function") return { kind: "token", accessToken };
  return { kind: "token", accessToken: () => accessToken ?? env["MANAGEMENT_ACCESS_TOKEN"] };
}
