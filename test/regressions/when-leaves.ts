import { subscribe, unsubscribe } from "node:diagnostics_channel";

interface Message {
  readonly request: { readonly method: string; readonly path: string };
}

/**
 * Lets others act at the moment at which the `count`th request of this method to a path with this end leaves: what they do
 * is done before the service sees the request. Returns what ends it.
 */
export function whenLeaves(
  method: string,
  pathEnd: string,
  act: () => void,
  count = 1,
): { readonly end: () => void } {
  let seen = 0;
  const listener = (message: unknown): void => {
    // Undici tells nothing else on this channel.
    const { request } = message as Message;
    const [path = ""] = request.path.split("?");
    if (request.method !== method || !path.endsWith(pathEnd)) return;
    seen += 1;
    if (seen === count) act();
  };
  subscribe("undici:request:create", listener);
  return { end: () => void unsubscribe("undici:request:create", listener) };
}
