import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { setImmediate } from "node:timers/promises";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildSync } from "esbuild";
import {
  CancelledError,
  type ManagementClient,
  TimeoutError,
  InvalidInputError,
  isAmbiguous,
  NetworkError,
} from "../../../provider/client";
import { fakeTimers } from "../../kit/fake-timers";
import { type Network, startNetwork } from "./behind-proxy";
import { SERVICE_HOST } from "./certificates";
import { startHttpService } from "./http-service";
import { failureOf, json, PROJECT, REF } from "./setup";

let network: Network;
afterEach(async () => {
  await network.close();
  jest.useRealTimers();
});

describe("behind a proxy", () => {
  const PROJECT_OF = { ref: REF };

  /** The host that a call connects to first; the call ends there, since the service's name resolves nowhere. */
  async function firstConnection(client: ManagementClient): Promise<string | undefined> {
    const cancel = new AbortController();
    let host: string | undefined;
    const onConnect = (message: unknown): void => {
      host ??= (message as { connectParams: { host: string } }).connectParams.host;
      cancel.abort();
    };
    subscribe("undici:client:beforeConnect", onConnect);
    await failureOf(client.getProject(PROJECT_OF, { signal: cancel.signal }));
    unsubscribe("undici:client:beforeConnect", onConnect);
    return host;
  }

  const proxyUrl = (): string => `http://127.0.0.1:${network.proxy.port}`;

  it.each(["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"])(
    "goes through the proxy that %s names, in a tunnel of HTTP/1.1",
    async (variable) => {
      network = await startNetwork();
      const client = network.client({ [variable]: proxyUrl() });
      expect(await client.getProject(PROJECT_OF)).toMatchObject(PROJECT_OF);
      expect(network.proxy.targets).toEqual([`${SERVICE_HOST}:443`]);
      expect(network.service.requests).toMatchObject([
        { method: "GET", httpVersion: "1.1", headers: { authorization: "Bearer token-5f1c0a7e9b" } },
      ]);
    },
  );

  it.each([
    [{ https_proxy: "used", HTTPS_PROXY: "http://127.0.0.1:1" }],
    [{ HTTPS_PROXY: "used", http_proxy: "http://127.0.0.1:1" }],
    [{ HTTPS_PROXY: "used", NO_PROXY: "other.invalid,ervice.invalid,*.api.service.invalid,127.0.0.1" }],
    [{ HTTPS_PROXY: "used", NO_PROXY: `${SERVICE_HOST}:8443` }],
    [{ HTTPS_PROXY: "used", no_proxy: "", NO_PROXY: "*" }],
  ])("goes through the proxy with %j", async (variables) => {
    network = await startNetwork();
    const named = Object.entries(variables).map(([name, value]) => [
      name,
      value === "used" ? proxyUrl() : value,
    ]);
    await network.client(Object.fromEntries(named) as Record<string, string>).getProject(PROJECT_OF);
    expect(network.proxy.targets).toHaveLength(1);
  });

  it.each([
    ["no_proxy", SERVICE_HOST],
    ["NO_PROXY", `other.invalid, ${SERVICE_HOST.toUpperCase()}`],
    ["NO_PROXY", `${SERVICE_HOST}:443`],
    ["NO_PROXY", "service.invalid"],
    ["NO_PROXY", ".service.invalid"],
    ["NO_PROXY", "*.service.invalid"],
    ["NO_PROXY", "*"],
    ["https_proxy", ""],
  ])("asks no proxy with %s=%s", async (name, value) => {
    network = await startNetwork();
    const client = network.client({ HTTPS_PROXY: proxyUrl(), [name]: value });
    expect(await firstConnection(client)).toBe(SERVICE_HOST);
  });

  it("takes a proxy without a scheme for one of http, as other tools do", async () => {
    network = await startNetwork();
    await network.client({ HTTPS_PROXY: `127.0.0.1:${network.proxy.port}` }).getProject(PROJECT_OF);
    expect(network.proxy.targets).toHaveLength(1);
  });

  it("goes through a proxy that is itself reached by https", async () => {
    network = await startNetwork(undefined, { isProxySafe: true });
    await network.client({ HTTPS_PROXY: `https://localhost:${network.proxy.port}` }).getProject(PROJECT_OF);
    expect(network.service.requests).toHaveLength(1);
  });

  it.each(["127.0.0.1", "localhost"])("never asks a proxy for %s, where the emulator runs", async (host) => {
    network = await startNetwork();
    const emulator = await startHttpService(() => json(PROJECT));
    const everything = {
      HTTPS_PROXY: proxyUrl(),
      HTTP_PROXY: proxyUrl(),
      https_proxy: proxyUrl(),
      http_proxy: proxyUrl(),
    };
    const plain = network.client(everything, { baseUrl: emulator.url.replace("127.0.0.1", host) });
    const safe = network.client(everything, { baseUrl: `https://${host}:${network.service.port}` });
    await Promise.all([plain.getProject(PROJECT_OF), safe.getProject(PROJECT_OF)]);
    expect([...network.proxy.targets, ...network.proxy.forwarded]).toEqual([]);
    await emulator.close();
  });

  it("keeps its tunnels, and makes no more of them than connections are allowed", async () => {
    network = await startNetwork();
    const client = network.client({ HTTPS_PROXY: proxyUrl() }, { connections: 4 });
    await Promise.all(Array.from({ length: 40 }, () => client.getProject(PROJECT_OF)));
    expect(network.service.requests).toHaveLength(40);
    expect(network.proxy.targets).toHaveLength(4);
  });

  describe("while the proxy connects to nothing", () => {
    const turns = async (): Promise<void> => {
      for (let turn = 0; turn < 50; turn += 1) await setImmediate();
    };

    it("a write ends at its deadline, and has not left", async () => {
      const { passMs } = fakeTimers();
      const asked = Promise.withResolvers<undefined>();
      network = await startNetwork(() => "never", { onConnect: () => asked.resolve(undefined) });
      const client = network.client({ HTTPS_PROXY: proxyUrl() });
      const options = { deadlineMs: network.clock.now() + 5_000 };
      const ending = failureOf(client.updateProject({ ref: REF, body: { name: "x" } }, options));
      await asked.promise;
      passMs(5_000);
      const failure = await ending;
      expect(failure).toBeInstanceOf(TimeoutError);
      expect(failure).toMatchObject({ requestSent: false });
    });

    it("a write ends when it is cancelled, and has not left", async () => {
      const cancel = new AbortController();
      network = await startNetwork(() => "never", { onConnect: () => cancel.abort() });
      const client = network.client({ HTTPS_PROXY: proxyUrl() });
      const failure = await failureOf(
        client.updateProject({ ref: REF, body: { name: "x" } }, { signal: cancel.signal }),
      );
      expect(failure).toBeInstanceOf(CancelledError);
      expect(failure).toMatchObject({ requestSent: false });
    });

    it("a write whose deadline passes while it is connected does not leave", async () => {
      network = await startNetwork(undefined, { onConnect: () => network.clock.advance(10_000) });
      const client = network.client({ HTTPS_PROXY: proxyUrl() });
      const options = { deadlineMs: network.clock.now() + 5_000 };
      const failure = await failureOf(client.updateProject({ ref: REF, body: { name: "x" } }, options));
      expect(failure).toBeInstanceOf(TimeoutError);
      expect(failure).toMatchObject({ requestSent: false });
      await turns();
      expect(network.service.requests).toEqual([]);
    });
  });
});

describe("a proxy's failure", () => {
  const USER = "jane.doe";
  const PASSWORD = "p@ss/w0rd#1%";
  const WITH_CREDENTIALS = `${USER}:${encodeURIComponent(PASSWORD)}@`;
  const NEW_PROJECT = { body: { name: "shop", db_pass: "horse-battery", organization_slug: "acme" } };

  /** Every form in which the password could show. */
  function expectNoPassword(...texts: readonly string[]): void {
    const forms = [
      PASSWORD,
      encodeURIComponent(PASSWORD),
      USER,
      Buffer.from(`${USER}:${PASSWORD}`).toString("base64"),
    ];
    for (const form of forms) expect(texts.join("\n")).not.toContain(form);
  }

  async function failureBehind(
    status: number,
    userinfo = "",
  ): Promise<{ readonly failure: Error; readonly proxy: string; readonly targets: number }> {
    network = await startNetwork(() => ({ status }));
    const address = `127.0.0.1:${network.proxy.port}`;
    const client = network.client({ HTTPS_PROXY: `http://${userinfo}${address}` });
    const failure = await failureOf(client.createProject(NEW_PROJECT));
    expect(failure).toBeInstanceOf(NetworkError);
    expect(failure).toMatchObject({ requestSent: false });
    expect(isAmbiguous(failure)).toBe(false);
    return {
      failure,
      proxy: `The proxy is http://${address}, from the environment variable HTTPS_PROXY:`,
      targets: network.proxy.targets.length,
    };
  }

  it("gives the proxy the credentials of the variable, decoded", async () => {
    network = await startNetwork();
    const client = network.client({
      HTTPS_PROXY: `http://${WITH_CREDENTIALS}127.0.0.1:${network.proxy.port}`,
    });
    await client.getProject({ ref: REF });
    const sent = Buffer.from(network.proxy.credentials[0]?.replace("Basic ", "") ?? "", "base64").toString();
    expect(sent).toBe(`${USER}:${PASSWORD}`);
    expect(network.service.requests[0]?.headers["proxy-authorization"]).toBeUndefined();
    expectNoPassword(...network.lines);
  });

  it("says where credentials belong when the proxy asks for some", async () => {
    const { failure, proxy, targets } = await failureBehind(407);
    expect(failure.message).toBe(
      "createProject failed: the proxy did not connect to the service (it answered 407). " +
        `${proxy} it requires a user name and a password; add them to the variable, percent-encoded, as in ` +
        '"http://user:password@proxy.example.com:3128".',
    );
    expect(targets).toBe(1);
  });

  it("says that the credentials are wrong, and not what they are", async () => {
    const { failure, proxy } = await failureBehind(407, WITH_CREDENTIALS);
    expect(failure.message).toContain(`${proxy} it rejects the user name and password in the variable`);
    expectNoPassword(failure.message, ...network.lines);
  });

  it("says whom to ask when the proxy does not let anybody through", async () => {
    const { failure, proxy, targets } = await failureBehind(403, WITH_CREDENTIALS);
    expect(failure.message).toContain(
      `${proxy} ask its operator to allow connections to ${SERVICE_HOST}, or add ${SERVICE_HOST} to NO_PROXY`,
    );
    expect(targets).toBe(1);
    expectNoPassword(failure.message, ...network.lines);
  });

  it("tries again while the proxy does not reach the service", async () => {
    const { failure, targets } = await failureBehind(502);
    expect(failure.message).toContain("(it answered 502). It was tried 6 times.");
    expect(targets).toBe(6);
  });

  it("names the variable of a proxy that nobody listens at", async () => {
    network = await startNetwork();
    await network.proxy.close();
    const address = `127.0.0.1:${network.proxy.port}`;
    const client = network.client({ https_proxy: `http://${WITH_CREDENTIALS}${address}` });
    const failure = await failureOf(client.createProject(NEW_PROJECT));
    expect(failure).toMatchObject({ requestSent: false, code: "ECONNREFUSED" });
    expect(failure.message).toBe(
      "createProject failed: the proxy could not be reached (ECONNREFUSED). It was tried 6 times. " +
        `The proxy is http://${address}, from the environment variable https_proxy: correct the variable, check that the ` +
        `proxy runs, or add ${SERVICE_HOST} to NO_PROXY if it can be reached directly.`,
    );
    expectNoPassword(failure.message, ...network.lines);
  });

  it("names the proxy when the service behind it breaks the connection off", async () => {
    const closed = await startNetwork();
    await closed.close();
    network = await startNetwork(() => ({ port: closed.service.port }));
    const client = network.client({ HTTPS_PROXY: `http://127.0.0.1:${network.proxy.port}` });
    const failure = await failureOf(client.createProject(NEW_PROJECT));
    expect(failure.message).toContain(`http://127.0.0.1:${network.proxy.port}`);
    expect(failure.message).toContain("environment variable HTTPS_PROXY");
    expect(failure).toMatchObject({ requestSent: false });
  });

  it.each([
    `http://${USER}:${PASSWORD}@proxy.invalid:3128`,
    `http://${USER}:80/${PASSWORD}@proxy.invalid:3128`,
    `http://${USER}:80#${PASSWORD}@proxy.invalid:3128`,
    `http://${USER}:100%@proxy.invalid:3128`,
    `socks5://${USER}:secret@proxy.invalid:1080`,
    "http://",
  ])("refuses %s without repeating it", async (value) => {
    network = await startNetwork();
    let failure: unknown;
    try {
      network.client({ HTTPS_PROXY: value });
    } catch (error) {
      failure = error;
    }
    expect(failure).toBeInstanceOf(InvalidInputError);
    expect(failure).toMatchObject({ path: "HTTPS_PROXY" });
    expect(String(failure)).toContain("with special characters of the password percent-encoded");
    expectNoPassword(String(failure));
  });
});

describe("a private authority", () => {
  /** Node reads its authorities at its start: a process of its own tries them. */
  const PROGRAM = `
  const { ManagementClient } = require("./client.js");
  const client = new ManagementClient();
  client.getProject({ ref: "${REF}" })
    .then(({ name }) => console.log("project " + name), ({ message }) => console.log(message))
    .then(() => client.close());
`;

  const folder = mkdtempSync(join(tmpdir(), "management-authority-"));

  beforeAll(() => {
    buildSync({
      entryPoints: [join(__dirname, "../../../provider/client/index.ts")],
      outfile: join(folder, "client.js"),
      bundle: true,
      platform: "node",
      logLevel: "error",
    });
    writeFileSync(join(folder, "program.js"), PROGRAM);
  });
  beforeEach(async () => {
    network = await startNetwork();
    writeFileSync(join(folder, "authority.pem"), network.certificates.authority);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  async function told(variables: Readonly<Record<string, string>>): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "program.js")], {
      env: {
        PATH: process.env["PATH"],
        HTTPS_PROXY: `http://127.0.0.1:${network.proxy.port}`,
        MANAGEMENT_BASE_URL: `https://${SERVICE_HOST}`,
        MANAGEMENT_ACCESS_TOKEN: "token-5f1c0a7e9b",
        ...variables,
      },
    });
    return stdout.trim();
  }

  it("is accepted behind a proxy with NODE_EXTRA_CA_CERTS", async () => {
    expect(await told({ NODE_EXTRA_CA_CERTS: join(folder, "authority.pem") })).toBe("project shop");
  });

  (process.platform === "linux" ? it : it.skip)(
    "is accepted with --use-system-ca where the system knows it",
    async () => {
      // Where OpenSSL's own variable names what the system trusts.
      const variables = { NODE_OPTIONS: "--use-system-ca", SSL_CERT_FILE: join(folder, "authority.pem") };
      expect(await told(variables)).toBe("project shop");
    },
  );

  it("is refused without them, once, with what to do", async () => {
    const before = network.proxy.targets.length;
    expect(await told({})).toMatch(
      new RegExp(
        `^getProject failed: the request could not be sent \\(\\w+\\)\\. The certificate of https://${SERVICE_HOST} ` +
          "is not trusted: check the base URL, or add its certificate authority with the environment " +
          "variable NODE_EXTRA_CA_CERTS \\(a PEM file\\) or NODE_OPTIONS=--use-system-ca\\. The request went through the " +
          "proxy http://127\\.0\\.0\\.1:\\d+ \\(environment variable HTTPS_PROXY\\)\\.$",
      ),
    );
    expect(network.proxy.targets.length - before).toBe(1);
  });
});
