import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import { isLoopback } from "./base-url";
import { type ProxySetting, readProxySetting } from "./proxy-variables";

/** How long a proxy may take to answer that it has connected. */
const CONNECT_TIMEOUT_MS = 10_000;

/** The way to the service: directly, or through the proxy that the environment names for it. */
export interface Route {
  readonly origin: string;
  readonly dispatcher: Dispatcher;
  /** The proxy, once a request has gone to it. */
  readonly proxy: () => ProxySetting | undefined;
  /** What no message may hold. */
  readonly secrets: readonly string[];
}

/** The proxy could not be reached, or answered with a status that connects to nothing. */
export class ProxyFailure extends Error {
  constructor(
    readonly status: number | undefined,
    cause?: Error,
  ) {
    super("the proxy failed", { cause });
  }
}

/** Loopback is never behind a proxy, whatever the environment says. */
export function createRoute(origin: string, connections: number, env: NodeJS.ProcessEnv): Route {
  // Timeouts of its own would not know the deadline; redirects are never followed here.
  const settings = { connections, pipelining: 1, allowH2: false, headersTimeout: 0, bodyTimeout: 0 };
  const setting = isLoopback(new URL(origin).hostname) ? undefined : readProxySetting(env);
  if (setting === undefined) {
    return { origin, dispatcher: new Agent(settings), proxy: () => undefined, secrets: [] };
  }
  let isUsed = false;
  const dispatcher = new EnvHttpProxyAgent({
    ...settings,
    httpProxy: "",
    httpsProxy: setting.url,
    noProxy: env["no_proxy"] ?? env["NO_PROXY"] ?? "",
    requestTls: { allowH2: false },
    proxyTls: { allowH2: false },
    clientFactory: (url, options) =>
      new Pool(url, { ...options, headersTimeout: CONNECT_TIMEOUT_MS }).compose(
        (dispatch) => (connect, handler) => {
          isUsed = true;
          return dispatch(connect, reportProxyFailures(handler));
        },
      ),
  });
  return { origin, dispatcher, proxy: () => (isUsed ? setting : undefined), secrets: setting.secrets };
}

/** Distinguishes failures of the proxy from those of the service behind it. */
function reportProxyFailures(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (...start) => handler.onRequestStart?.(...start),
    onRequestUpgrade: (controller, status, headers, socket) => {
      if (status === 200) return handler.onRequestUpgrade?.(controller, status, headers, socket);
      socket.on("error", () => undefined).destroy();
      handler.onResponseError?.(controller, new ProxyFailure(status));
    },
    onResponseError: (controller, error) =>
      handler.onResponseError?.(controller, new ProxyFailure(undefined, error)),
  };
}
