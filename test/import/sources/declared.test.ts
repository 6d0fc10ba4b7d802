import { ConfigValue, JoinedText } from "../../../import/sources/config-value";
import { toDeclaredElsewhere, type SourceObject } from "../../../import/sources/declared";

const secret = new ConfigValue("token", "string", true, "hush-hush");
const unknown = new ConfigValue("SITE_URL", "string", false);

function object(inputs: Readonly<Record<string, unknown>>): SourceObject {
  return {
    type: "AuthConfig",
    importId: "a",
    identity: { projectRef: "a" },
    inputs,
    source: "config.toml [auth]",
  };
}

it("leaves secrets out, known or not", () => {
  const declared = toDeclaredElsewhere({
    objects: [object({ jwtExp: 60, smtp: { password: secret } })],
    notes: [],
  });
  expect(declared.objects).toEqual([object({ jwtExp: 60 })]);
  expect(JSON.stringify(declared)).not.toContain("hush-hush");
});

it("writes of a variable no value but yes or no, and says where one is not written", () => {
  const known = (kind: ConfigValue["kind"], value: string) => new ConfigValue("X", kind, false, value);
  const inputs = {
    a: known("string", "value-of-a-secret"),
    b: known("number", "4711"),
    c: known("boolean", "true"),
    d: known("list", "x,y"),
    e: new JoinedText(["x", known("string", "y")], ","),
    f: new JoinedText(["x", unknown], ","),
    g: [unknown],
  };
  const { objects, notes } = toDeclaredElsewhere({ objects: [object(inputs)], notes: ["first"] });
  expect(objects[0]?.inputs).toEqual({ c: true });
  expect(JSON.stringify({ objects, notes })).not.toMatch(/value-of-a-secret|4711/);
  const isNotWritten = (path: string): unknown =>
    expect.stringContaining(`config.toml [auth]: \`${path}\` is the variable X. The file does not say`);
  expect(notes).toEqual([
    "first",
    ...["a", "b", "d", "e"].map(isNotWritten),
    expect.stringMatching(
      /^config\.toml \[auth\]: `f` is the variable SITE_URL, whose value is not set, so it was left out\./,
    ),
    expect.stringMatching(/`g` is the variable/),
  ]);
});

it("has of a stack what it declares otherwise", () => {
  const stack = { name: "staging", projectRef: "b", notes: ["first", "second"] };
  const same = { ...object({ jwtExp: 60, projectRef: "b" }), importId: "b" };
  const other = object({ jwtExp: 90, projectRef: "b" });
  const declared = toDeclaredElsewhere({
    objects: [object({ jwtExp: 60, projectRef: "a" })],
    stacks: [
      { ...stack, objects: [same] },
      { ...stack, objects: [other] },
    ],
    notes: ["first"],
  });
  expect(declared.stacks).toEqual([
    { name: "staging", projectRef: "b", objects: [] },
    { name: "staging", projectRef: "b", objects: [other] },
  ]);
  expect(declared.notes).toEqual(["first", "remotes.staging: second"]);
});
