import { request } from "node:http";
import { startEmulator, type Emulator } from "../../../../emulator";
import { readCommandLine } from "../../../../emulator/command-line";

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
}

/** Sends a request that names the emulator as `host`, which `fetch` does not let a program choose. */
function ask({ url }: Emulator, path: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode, text }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

const everySurface = [
  "/",
  "/_page/page.js",
  "/_control/snapshot",
  "/_project/abc/auth/v1/user",
  "/v1/projects",
];

describe("a page of another site", () => {
  let emulator: Emulator;
  let port: string;
  beforeAll(async () => {
    emulator = await startEmulator({ seed: { tokens: [{ token: "let-me-in" }] } });
    ({ port } = new URL(emulator.url));
  });
  afterAll(() => emulator.close());

  it.each(everySurface)("gets nothing of %s when its own name resolves to this machine", async (path) => {
    const host = `evil.example.com:${port}`;
    const { status, text } = await ask(emulator, path, { host, origin: `http://${host}` });
    expect(status).toBe(421);
    expect(text).toContain(`does not answer as \\"${host}\\"`);
    expect(text).toContain("--allowed-host");
    expect(text).not.toContain("let-me-in");
  });

  it.each([
    "",
    "localhost.evil.example.com",
    "127.0.0.1.evil.example.com",
    "192.0.2.7",
    "[::2]",
    "a@localhost",
    "127.1.evil",
  ])("is not let in as %j either", async (name) => {
    expect((await ask(emulator, "/_control/snapshot", { host: `${name}:${port}` })).status).toBe(421);
  });

  it("is not let in by what it says of its origin", async () => {
    const headers = { host: `127.0.0.1:${port}`, origin: `http://evil.example.com:${port}` };
    expect((await ask(emulator, "/_control/snapshot", headers)).status).toBe(403);
  });

  it("leaves no call in the log", async () => {
    await ask(emulator, "/v1/projects", { host: "evil.example.com" });
    expect(emulator.control.calls({ pathContains: "/v1/projects" })).toEqual([]);
  });

  it.each(["localhost", "LOCALHOST", "localhost.", "shop.localhost", "127.0.0.1", "127.8.8.8", "[::1]"])(
    "does not keep programs from calling it as %s, with any port and with none",
    async (name) => {
      for (const host of [name, `${name}:1`]) {
        expect((await ask(emulator, "/_control/clock", { host })).status).toBe(200);
      }
    },
  );
});

it("The emulator answers as the address at which it listens, and as names that are allowed", async () => {
  const emulator = await startEmulator({ host: "0.0.0.0", allowedHosts: ["Emulator"] });
  for (const host of ["emulator:8080", "0.0.0.0", "127.0.0.1"]) {
    expect((await ask(emulator, "/_control/clock", { host })).status).toBe(200);
  }
  expect((await ask(emulator, "/_control/clock", { host: "other:8080" })).status).toBe(421);
  await emulator.close();
});

it("The command line allows names, and refuses what is none", () => {
  expect(readCommandLine(["--allowed-host", "emulator", "--allowed-host=api.test"])).toEqual({
    kind: "start",
    options: { allowedHosts: ["emulator", "api.test"], seed: {} },
  });
  expect(() => readCommandLine(["--allowed-host", "emulator:8080"])).toThrow("without a port");
});

it("A port that another program uses is named, with what to do", async () => {
  const first = await startEmulator();
  const port = Number(new URL(first.url).port);
  await expect(startEmulator({ port })).rejects.toThrow(
    `The emulator cannot listen on 127.0.0.1:${port}: another program listens there. ` +
      "Stop it, or choose another port: 0, the default, takes any free one (EADDRINUSE)",
  );
  await first.close();
});

it("An address that is not this machine's is named, with what to do", async () => {
  // Reserved for documentation (RFC 5737), hence no machine's own.
  await expect(startEmulator({ host: "192.0.2.1" })).rejects.toThrow(
    "The emulator cannot listen on 192.0.2.1:0: this machine has no such address. " +
      "Choose one of its own, or leave the host out for 127.0.0.1 (EADDRNOTAVAIL)",
  );
});
