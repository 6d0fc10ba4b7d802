import { z } from "zod";
import { formed } from "../../provider/define/markers";
import { describeIssues } from "../../provider/lifecycle/schema/describe-issue";
import { startScenario, type Scenario } from "../lifecycle/scenario";
import { resourceOf, samples } from "../lifecycle/samples";

let scenario: Scenario;
beforeAll(async () => {
  scenario = await startScenario();
});
afterAll(() => scenario.close());

function failures(type: string, inputs: Readonly<Record<string, unknown>>): string[] {
  const sample = samples.find((each) => each.type === type);
  if (sample === undefined) throw new Error(`There is no sample of ${type}`);
  const given = { ...sample.inputs("abcdefghijklmnopqrst"), ...inputs };
  return scenario.manage(resourceOf(sample)).failures(given);
}

it.each([
  [
    "Secret",
    { projectRef: "Abc" },
    'projectRef: got "Abc"; expected a reference of 20 lowercase letters, as `abcdefghijklmnopqrst`',
  ],
  [
    "ApiKey",
    { name: "A b" },
    'name: got "A b"; expected 4 to 64 lowercase letters, digits and `_`, not beginning with a digit, as `mobile_app`',
  ],
  [
    "Project",
    { organizationSlug: "a b" },
    'organizationSlug: got "a b"; expected a slug of letters, digits, `_` and `-`, as `acme`',
  ],
  [
    "EdgeFunction",
    { slug: "1st" },
    'slug: got "1st"; expected a letter, then letters, digits, `_` and `-`, as `send-mail`',
  ],
  [
    "CustomHostname",
    { customHostname: "https://db.example.com" },
    'customHostname: got "https://db.example.com"; expected a hostname of at most 253 characters, without `https://`, port and path, as `db.example.com`',
  ],
  [
    "PostgresConfig",
    { workMem: "16 megs", statementTimeout: "5 sec" },
    'statementTimeout: got "5 sec"; expected a number with `us`, `ms`, `s`, `min`, `h` or `d`; ms without a unit, as `30s`',
    'workMem: got "16 megs"; expected a number with `B`, `kB`, `MB`, `GB` or `TB`; kB without a unit, as `64MB`',
  ],
  [
    "SsoProvider",
    { metadataUrl: "http://idp.example.com" },
    'metadataUrl: got "http://idp.example.com"; expected an `https` address, as `https://idp.example.com/metadata`',
  ],
  [
    "Branch",
    { secrets: { SVC_TOKEN: "x" }, notifyUrl: "here" },
    "secrets.SVC_TOKEN: invalid key; expected a name of at most 256 characters that does not begin with `SVC_`, as `PAYMENT_TOKEN`",
    'notifyUrl: got "here"; expected a URL, as `https://example.com/path`',
  ],
] as const)("%s says in one sentence, with an example, what it asks for", (type, inputs, ...told) => {
  expect(failures(type, inputs)).toEqual(told);
});

it("several checks of one text are one failure", () => {
  const schema = z.strictObject({
    name: formed(z.string().min(3).regex(/^a+$/), "three `a` or more", "aaa"),
  });
  const { error } = schema.safeParse({ name: "b" });
  expect(describeIssues(error?.issues ?? [], schema, { name: "b" })).toEqual([
    { path: "name", reason: 'got "b"; expected three `a` or more, as `aaa`' },
  ]);
});
