import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildSync } from "esbuild";
import { type Network, startNetwork } from "../provider/client/behind-proxy";
import { SERVICE_HOST } from "../provider/client/certificates";
import { REF } from "../provider/client/setup";

/** Node reads its authorities at its start: a process of its own tries them. */
const PROGRAM = `
  const { ManagementClient } = require("./client.js");
  const client = new ManagementClient();
  client.getProject({ ref: "${REF}" })
    .then(({ name }) => console.log("project " + name), ({ message }) => console.log(message))
    .then(() => client.close());
`;

let network: Network;
const folder = mkdtempSync(join(tmpdir(), "management-authority-"));

beforeAll(async () => {
  network = await startNetwork();
  buildSync({
    entryPoints: [join(__dirname, "../../provider/client/index.ts")],
    outfile: join(folder, "client.js"),
    bundle: true,
    platform: "node",
    logLevel: "error",
  });
  writeFileSync(join(folder, "program.js"), PROGRAM);
  writeFileSync(join(folder, "authority.pem"), network.certificates.authority);
});

afterAll(async () => {
  await network.close();
  rmSync(folder, { recursive: true });
});

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
