import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROVISIONING_TIMEOUT_MS } from "./harness";
import { outputOf, PRELUDE, startStack, type Stack } from "./stack";

const REF = "abcdefghijklmnopqrst";
const project = (more: string): string =>
  `new management.Project("app", { name: "shop", organizationSlug: "acme", dbPass: "password", region: "eu-central-1", ${more} });`;

const cases: readonly (readonly [
  what: string,
  source: string,
  env: Record<string, string | undefined>,
  expected: RegExp,
])[] = [
  [
    "a wrong type",
    project("paused: 'no'"),
    {},
    /paused: got "no"; expected a boolean|property paused.*got "no"; expected a boolean/,
  ],
  ["an unknown property", project("regoin: 'eu-central-1'"), {}, /unknown property; did you mean `region`/],
  [
    "both metadata fields",
    `new management.SsoProvider("sso", { projectRef: "${REF}", type: "saml", metadataXml: "<a/>", metadataUrl: "https://a.example" });`,
    {},
    /metadataXml.*metadataUrl|metadataUrl.*metadataXml/,
  ],
  ["no token", project(""), { MANAGEMENT_ACCESS_TOKEN: undefined }, /MANAGEMENT_ACCESS_TOKEN/],
  ["a bad base URL", project(""), { MANAGEMENT_BASE_URL: "http://api.example.com" }, /baseUrl[^]*https/],
  [
    "a name of 300 characters",
    project("").replace('"shop"', `"${"n".repeat(300)}"`),
    {},
    /a string of 300 characters/,
  ],
];

describe("bad input", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack("");
  }, PROVISIONING_TIMEOUT_MS);
  afterAll(() => stack.dispose());

  it.each(cases)(
    "%s is one readable error that names the property, and nothing is made",
    async (_what, source, env, expected) => {
      writeFileSync(join(stack.projectDir, "index.js"), PRELUDE + source);
      for (const command of ["preview", "up"] as const) {
        const result = await stack.workspace[command]({ env });
        expect(result.exitCode).not.toBe(0);
        const errors = result.events.flatMap(({ diagnosticEvent }) =>
          diagnosticEvent?.severity === "error" && expected.test(diagnosticEvent.message)
            ? [diagnosticEvent.message]
            : [],
        );
        expect({ count: errors.length, output: errors.length === 1 ? "" : outputOf(result) }).toEqual({
          count: 1,
          output: "",
        });
        expect(outputOf(result)).not.toMatch(/^\s+at .*\(/m);
      }
      expect(stack.emulator.control.countCalls()).toBe(0);
    },
  );
});
