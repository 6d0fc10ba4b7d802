import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sightSecrets, type Sightings } from "../engine/secrets-in-grpc";

const HIDDEN = "hush-hush";
const marked = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value: { TOKEN: HIDDEN },
};
const output = {
  "4dabf18193072939515e22adb298388d": "d0e6a833031e9bbcd3f4e8bde6ca49a4",
  value: HIDDEN,
  secret: true,
};

describe("the search for secrets in a gRPC log", () => {
  const folder = mkdtempSync(join(tmpdir(), "management-grpc-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const sight = (method: string, call: object): Sightings => {
    const file = join(folder, "log.jsonl");
    writeFileSync(file, `${JSON.stringify({ method: `/pulumirpc.${method}`, ...call })}\n`);
    return sightSecrets(file, [HIDDEN]);
  };

  it.each([
    [
      "a property that is marked",
      "ResourceProvider/Create",
      { response: { properties: { secrets: marked } } },
    ],
    [
      "an output that is secret",
      "ResourceMonitor/RegisterResource",
      { request: { object: { key: output } } },
    ],
  ])("accepts %s", (_what, method, call) => {
    expect(sight(method, call)).toEqual({ leaks: [], marked: new Set([HIDDEN]), carried: new Set() });
  });

  it("accepts a setting where the engine itself sends it in clear", () => {
    const variables = { "management:config:accessToken": HIDDEN };
    expect(sight("ResourceProvider/Configure", { request: { variables } })).toEqual({
      leaks: [],
      marked: new Set(),
      carried: new Set([HIDDEN]),
    });
  });

  it.each([
    ["an error", "ResourceProvider/Update", { errors: [`cannot take ${HIDDEN}`] }],
    ["a reason", "ResourceProvider/Check", { response: { failures: [{ reason: HIDDEN }] } }],
    ["a mark where none is read", "ResourceProvider/Check", { response: { failures: [{ reason: marked }] } }],
    ["a property without a mark", "ResourceProvider/Diff", { request: { olds: { value: HIDDEN } } }],
    ["a key of a property", "ResourceProvider/Read", { response: { inputs: { [HIDDEN]: 1 } } }],
    ["an identifier", "ResourceProvider/Read", { request: { id: HIDDEN } }],
    [
      "an answer about settings",
      "ResourceProvider/CheckConfig",
      { response: { inputs: { accessToken: HIDDEN } } },
    ],
    [
      "an output that is no secret",
      "ResourceProvider/Invoke",
      { response: { return: { a: { ...output, secret: false } } } },
    ],
  ])("finds %s", (_what, method, call) => {
    expect(sight(method, call).leaks).toHaveLength(1);
  });
});
