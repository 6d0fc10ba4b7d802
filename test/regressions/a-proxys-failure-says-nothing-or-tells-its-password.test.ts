import { InvalidInputError, isAmbiguous, NetworkError } from "../../provider/client";
import { type Network, startNetwork } from "../provider/client/behind-proxy";
import { SERVICE_HOST } from "../provider/client/certificates";
import { failureOf, REF } from "../provider/client/setup";

const USER = "jane.doe";
const PASSWORD = "p@ss/w0rd#1%";
const WITH_CREDENTIALS = `${USER}:${encodeURIComponent(PASSWORD)}@`;
const NEW_PROJECT = { body: { name: "shop", db_pass: "horse-battery", organization_slug: "acme" } };

let network: Network;

afterEach(() => network.close());

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
  const client = network.client({ HTTPS_PROXY: `http://${WITH_CREDENTIALS}127.0.0.1:${network.proxy.port}` });
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
