import { once } from "node:events";
import { createServer, type ServerHttp2Session } from "node:http2";
import { watchEngine } from "../../../provider/process/exit-with-engine";

async function startEngine(): Promise<{
  address: string;
  reached: () => Promise<unknown>;
  dropConnections: () => void;
  end: () => void;
}> {
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer();
  server.on("session", (session) => sessions.add(session));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The engine has no address");
  const dropConnections = (): void => {
    for (const session of sessions) session.destroy();
    sessions.clear();
  };
  return {
    address: `127.0.0.1:${address.port}`,
    reached: () => once(server, "session"),
    dropConnections,
    end: () => {
      server.close();
      dropConnections();
    },
  };
}

it("an engine that ends is noticed, and one that only drops its connections is not taken for ended", async () => {
  const [ending, staying] = [await startEngine(), await startEngine()];
  const stayed = jest.fn();
  const noticed = new Promise<void>((resolve) => watchEngine(ending.address, resolve));
  watchEngine(staying.address, stayed);
  await Promise.all([ending.reached(), staying.reached()]);
  const again = staying.reached();
  staying.dropConnections();
  await again;
  ending.end();
  await noticed;
  expect(stayed).not.toHaveBeenCalled();
  staying.end();
});
