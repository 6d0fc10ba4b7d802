import { InvalidInputError } from "../errors/errors";

/** In the order in which they count. The service is reached by https only, so that the second pair is a fallback. */
const VARIABLES = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"];

/** The proxy that the environment names, and how it is spoken of. */
export interface ProxySetting {
  readonly variable: string;
  readonly url: string;
  /** Without the credentials. */
  readonly shown: string;
  /** What no message may hold. */
  readonly secrets: readonly string[];
}

/** The first of the variables that is set counts, though it be empty: that means no proxy. */
export function readProxySetting(env: NodeJS.ProcessEnv): ProxySetting | undefined {
  const variable = VARIABLES.find((name) => env[name] !== undefined);
  const given = variable === undefined ? "" : (env[variable] ?? "").trim();
  if (variable === undefined || given === "") return undefined;
  // As other tools do: without a scheme it is http.
  const text = given.includes("://") ? given : `http://${given}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) throw createProxyError(variable);
  // An unescaped character of a password ends the host early, and what follows looks like a path.
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") throw createProxyError(variable);
  const [user, password] = [url.username, url.password].map((part) => decodePart(part, variable));
  const credentials = [url.username, url.password, user, password, `${user}:${password}`];
  return {
    variable,
    url: url.href,
    shown: `${url.protocol}//${url.host}`,
    secrets: user === "" && password === "" ? [] : credentials.filter((part) => part !== undefined),
  };
}

function decodePart(part: string, variable: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw createProxyError(variable);
  }
}

/** The value stays unsaid: it may hold a password. */
function createProxyError(variable: string): InvalidInputError {
  return new InvalidInputError(
    variable,
    `The environment variable ${variable} is not the address of a supported proxy: write it as "http://proxy.example.com:3128" or ` +
      '"http://user:password@proxy.example.com:3128", with special characters of the password percent-encoded; ' +
      "or unset it.",
  );
}
