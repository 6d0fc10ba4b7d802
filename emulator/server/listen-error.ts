/** Why an address cannot be listened on, and what to do, by Node's code. */
const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE:
    "another program listens there. Stop it, or choose another port: 0, the default, takes any free one",
  EACCES: "this user may not. Choose a port from 1024 up, or 0 for any free one",
  EADDRNOTAVAIL:
    "this machine has no such address. Choose one of its own, or leave the host out for 127.0.0.1",
  ENOTFOUND: "no such name is known. Choose an address of this machine, or leave the host out for 127.0.0.1",
};

/** The error of a server that could not begin to listen. */
export function listenError(error: unknown, host: string, port: number): Error {
  // Read by its fields: Node.js throws an `Error` of its own realm, and test runners have several.
  const { code = "", message = String(error) } = error as { code?: string; message?: string };
  const reason = reasons[code];
  const place = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const why = reason === undefined ? message : `${reason} (${code})`;
  return new Error(`The emulator cannot listen on ${place}: ${why}`, { cause: error });
}
