import fc from "fast-check";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Values } from "../../../provider/define/values";
import { secretSet } from "../../../provider/resources/functions/secret-set/secret-set";
import { checkInputs } from "../../../provider/engine/check";
import { parseEnvText } from "../../../provider/resources/functions/shared/env-file";
import { findPackageRoot } from "../../../tools/engine/package-root";
import { useFifo } from "./fifo";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let sets: Managed;
let ref: string;
let folder: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  sets = scenario.manage(secretSet);
  folder = mkdtempSync(join(tmpdir(), "management-env-"));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await scenario.close();
});

const fifo = useFifo();
const declared = (secrets: Record<string, string>, more: Values = {}): Values => ({
  projectRef: ref,
  secrets,
  ...more,
});
const onService = (): Record<string, string> =>
  Object.fromEntries(
    [...(scenario.emulator.world.state.projects.get(ref)?.secrets ?? [])].map(([name, { value }]) => [
      name,
      value,
    ]),
  );
const writeOutside = (name: string, value: string): void =>
  scenario.emulator.control.call("createSecrets", { ref, body: [{ name, value }] });
const removeOutside = (name: string): void =>
  scenario.emulator.control.call("deleteSecrets", { ref, body: [name] });
const paths = (state: Values, inputs: Values): string[] =>
  sets.diff(state, inputs).properties.map(({ path, kind }) => `${kind} ${path}`);
function envFile(text: string): string {
  const path = join(folder, "functions.env");
  writeFileSync(path, text);
  return path;
}
const NAME_CHARACTERS = Array.from("abYZ019_.-");
/** All that means something in such a file, and more. */
const VALUE_CHARACTERS = Array.from("#\"'`\\$ \t\n\r=:{}nrx\u00a0\u00e9");

/** All ways of writing a value that can say it. */
function spellingsOf(value: string): string[] {
  const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r" };
  const escaped = value.replaceAll(/["\\\r]/g, (character) => escapes[character] ?? `\\${character}`);
  const isPlain = !/^["'`]|^[ \t]|[ \t]$|[ \t]#|^#|[\n\r]/.test(value);
  return [
    `"${escaped}"`,
    `"${escaped.replaceAll("\n", "\\n").replaceAll("$", "\\$")}"`,
    ...["'", "`"].flatMap((quote) =>
      /\r/.test(value) || value.includes(quote) ? [] : [quote + value + quote],
    ),
    ...(isPlain ? [value] : []),
  ];
}
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

it("plans each secret by its name, and puts right what others wrote or removed", async () => {
  const inputs = declared({ HOST: "a", TOKEN: "b" });
  const made = await sets.create(inputs);
  expect(made).toMatchObject({ id: ref, state: { names: ["HOST", "TOKEN"], outOfSync: [] } });
  expect(onService()).toEqual({ HOST: "a", TOKEN: "b" });

  scenario.nextRun();
  const read = await sets.read(made);
  expect(read?.state).toMatchObject({ secrets: { HOST: "a", TOKEN: "b" }, outOfSync: [] });

  scenario.nextRun();
  const changed = declared({ HOST: "a2", PORT: "c" });
  expect(paths(made.state, changed)).toEqual([
    "update secrets.HOST",
    "delete secrets.TOKEN",
    "add secrets.PORT",
    "update hashes.HOST",
    "delete hashes.TOKEN",
    "add hashes.PORT",
  ]);
  const updated = await sets.update(made, changed);
  expect(onService()).toEqual({ HOST: "a2", PORT: "c" });

  writeOutside("HOST", "by hand");
  removeOutside("PORT");
  scenario.nextRun();
  const drifted = await sets.read(updated);
  expect(drifted?.state["outOfSync"]).toEqual(["HOST", "PORT"]);
  expect(paths(drifted?.state ?? {}, changed)).toEqual(["update hashes.HOST", "add hashes.PORT"]);
  const repaired = await sets.update({ id: ref, state: drifted?.state ?? {} }, changed);
  expect(onService()).toEqual({ HOST: "a2", PORT: "c" });
  expect(repaired.state["outOfSync"]).toEqual([]);

  await sets.delete(repaired);
  expect(onService()).toEqual({});
});

it("names in a refresh what changed elsewhere, and never a value", async () => {
  const made = await sets.create(declared({ HOST: "a", TOKEN: "b" }));
  writeOutside("TOKEN", "by hand");
  scenario.nextRun();
  const drifted = await sets.read(made);
  expect(scenario.infos.join()).toContain("hashes.TOKEN changed outside this program");
  expect(drifted?.state["hashes"]).toEqual({
    HOST: sha256("a"),
    TOKEN: `changed outside (sha256 ${sha256("by hand").slice(0, 12)}…)`,
  });
  scenario.nextRun();
  const again = await sets.read({ id: ref, state: drifted?.state ?? {} });
  expect(again?.state).toEqual(drifted?.state);
});

it("writes all that differ in one call and removes all that go in another", async () => {
  const many = (value: string, from: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`TOKEN_${from + index}`, value]));
  const made = await sets.create(declared(many("one", 0)));
  expect(scenario.calls("createSecrets")).toBe(1);
  expect(scenario.calls("getProject")).toBe(1);
  expect(scenario.calls()).toBe(4);
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await sets.update(made, declared(many("two", 50)));
  expect(scenario.calls("createSecrets")).toBe(1);
  expect(scenario.calls("deleteSecrets")).toBe(1);
  expect(Object.keys(onService())).toHaveLength(100);
});

it("splits what is too much for one call", async () => {
  // Since, a project has at most a hundred.
  scenario.emulator.control.set(["service"], "2026-06");
  const names = Array.from({ length: 1_500 }, (_, index) => `TOKEN_${index}`);
  await sets.create(declared(Object.fromEntries(names.map((name) => [name, "value"]))));
  expect(Object.keys(onService())).toHaveLength(1_500);
  expect(scenario.calls("createSecrets")).toBe(2);
});

describe("a file", () => {
  it("has quoted values, values of several lines and comments", async () => {
    const file = envFile(
      "\uFEFF# mail\nHOST=mail.example.com # inline\nexport KEY=\"one\ntwo # no comment\"\nRAW='a\\nb'\n",
    );
    await sets.create({ projectRef: ref, envFile: file });
    expect(onService()).toEqual({ HOST: "mail.example.com", KEY: "one\ntwo # no comment", RAW: "a\\nb" });
  });

  it("is a change in the next preview when its text changes", async () => {
    const inputs = { projectRef: ref, envFile: envFile("TOKEN=one\nHOST=a\n") };
    const made = await sets.create(inputs);
    expect(sets.diff(made.state, inputs).changes).toBe(false);
    envFile("TOKEN=two\nHOST=a\n");
    scenario.nextRun();
    expect(paths(made.state, inputs)).toEqual(["update hashes.TOKEN"]);
    await sets.update(made, inputs);
    expect(onService()).toEqual({ TOKEN: "two", HOST: "a" });
  });

  it("leaves no value in the state", async () => {
    const made = await sets.create({ projectRef: ref, envFile: envFile("TOKEN=clear-text\n") });
    expect(JSON.stringify(made.state)).not.toContain("clear-text");
  });

  it("stands behind the values of the program", async () => {
    await sets.create(declared({ TOKEN: "mine" }, { envFile: envFile("TOKEN=file\nHOST=a\n") }));
    expect(onService()).toEqual({ TOKEN: "mine", HOST: "a" });
  });

  it.each([
    ["TOKEN", "line 1 is not `NAME=value`"],
    ["A=1\nexport TOKEN\nB=2", "line 2 is not `NAME=value`"],
    ["# keys\n\nTOKEN: the-secret-itself\r\n", "line 3 is not `NAME=value`"],
    ["A='one\ntwo'\n\n=value", "line 4 is not `NAME=value`"],
    ['A="not ended\nthe second line', "the quote in line 1 is not closed"],
    ["A=1\nTOKEN='it\\'s the-secret-itself'", "line 2 has text after its closing quote"],
    ['A="one\ntwo"the-secret-itself', "line 2 has text after its closing quote"],
    ["A=1\rTOKEN=one\rTOKEN=the-secret-itself", "line 3 repeats the name of line 2"],
  ])(
    "is refused where it would not be taken whole, by the line and without what it says: %j",
    (text, why) => {
      const [failure = "", ...others] = sets.failures({ projectRef: ref, envFile: envFile(text) });
      expect(failure).toMatch(new RegExp(`functions.env cannot be read: ${why}$`));
      expect(failure).not.toMatch(/itself|TOKEN|second/);
      expect(others).toEqual([]);
    },
  );

  it("is refused where it is no text", () => {
    const inputs = { projectRef: ref, envFile: envFile("") };
    writeFileSync(inputs.envFile, Buffer.from("TOKEN=gr\u00fcn", "latin1"));
    expect(sets.failures(inputs)[0]).toMatch(/cannot be read: it is not UTF-8$/);
  });

  it("warns by name of what the platform's tool would expand, and sets it as it is", async () => {
    const text = 'A=x$HOME\nB="${HOST}/x"\nC=\'$HOME\'\nD="\\$HOME"\nE=pa$word\nF=$(DATE)\nG="a$\\nB"\nH=5$';
    const inputs = { projectRef: ref, envFile: envFile(text) };
    expect(checkInputs(secretSet, inputs).warnings).toEqual([
      "the values of `A`, `B`, `F` contain `$`, which is sent literally. The platform's own tool would expand the variable. Put the value in single quotes, and every tool reads the same value.",
    ]);
    await sets.create(inputs);
    expect(onService()).toEqual({
      ...{ A: "x$HOME", B: "${HOST}/x", C: "$HOME", D: "$HOME", E: "pa$word", F: "$(DATE)" },
      ...{ G: "a$\nB", H: "5$" },
    });
  });

  it.each([
    ["MAIL_PASSWORD=ab#12!x", { MAIL_PASSWORD: "ab#12!x" }],
    [String.raw`CLIENT_JSON="{\"project\":\"shop\"}"`, { CLIENT_JSON: '{"project":"shop"}' }],
    ["export EMPTY=\nexport A = 1 # c\r\n\texport\tB='x'", { EMPTY: "", A: "1", B: "x" }],
    [
      "A=#1\nB= # c\nC=a b\t# c # d\nD='#' # c\nE=\"x\" \n#F=1\n",
      { A: "#1", B: "", C: "a b", D: "#", E: "x" },
    ],
    [String.raw`A="\\n\n\r\t\'\x"`, { A: "\\n\n\r\\t\\'\\x" }],
    ["A='x\r\n=y\nz'\nB=`\n`\nC.d-e=it's\\", { A: "x\n=y\nz", B: "\n", "C.d-e": "it's\\" }],
    ["A=\u00a0\u2028x\n\n \nB=\t=\t\n", { A: "\u00a0\u2028x", B: "=" }],
    ["", {}],
  ])("says what it says, whole: %j", (text, values) => {
    expect(Object.fromEntries(parseEnvText(text).values)).toEqual(values);
  });

  it("is read as the page on it says", () => {
    const page = readFileSync(join(findPackageRoot(), "docs/env-files.md"), "utf8");
    const [, text = ""] = /^```sh\n(.*?)^```$/ms.exec(page) ?? [];
    expect(Object.fromEntries(parseEnvText(text).values)).toEqual({
      MAIL_HOST: "mail.example.com",
      MAIL_PASSWORD: "ab#12!x",
      REGION: "eu-central-1",
      GREETING: 'say "hello"\nand wave',
      CLIENT_JSON: '{"project":"shop"}',
      SIGNING_KEY: expect.stringMatching(
        /^-----BEGIN PRIVATE KEY-----\n[^]*\n-----END PRIVATE KEY-----$/,
      ) as string,
      EMPTY: "",
    });
  });

  it("says again whatever was written, in each way that can say it", () => {
    const name = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...NAME_CHARACTERS) });
    const value = fc.oneof(
      fc.string({ unit: fc.constantFrom(...VALUE_CHARACTERS) }),
      fc.string({ unit: "binary" }),
    );
    const around = fc.record({
      before: fc.constantFrom("", "  ", "\t", "export ", "# c\n", "\n \n# 'c\n"),
      equals: fc.constantFrom("=", " =", "\t= "),
      after: fc.constantFrom("", " ", "\t# c", ' # "c'),
    });
    const assignments = fc.uniqueArray(fc.tuple(name, value, fc.nat(), around), {
      selector: ([first]) => first,
    });
    fc.assert(
      fc.property(assignments, fc.constantFrom("\n", "\r\n"), fc.boolean(), (given, lineEnd, hasEnd) => {
        const lines = given.map(([name, value, choice, { before, equals, after }]) => {
          const ways = spellingsOf(value);
          return `${before}${name}${equals}${ways[choice % ways.length] ?? ""}${after}`;
        });
        const text = lines.join("\n") + (hasEnd ? "\n" : "");
        expect([...parseEnvText(text.replaceAll("\n", lineEnd)).values]).toEqual(
          given.map(([name, value]) => [name, value]),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it("is refused with its faults before anything is sent", () => {
    expect(sets.failures({ projectRef: ref, envFile: join(folder, "none.env") })[0]).toContain(
      "none.env cannot be read: it does not exist",
    );
    expect(
      sets.failures({ projectRef: ref, envFile: envFile(`SVC_A=b\nB=${"x".repeat(24_577)}\n`) }),
    ).toEqual(["envFile: `B` cannot be a secret: at most 24576 characters allowed"]);
  });
});

describe("a file with nothing in it", () => {
  const emptied = async (text: string, more: Values = {}): Promise<Values> => {
    const made = await sets.create({ projectRef: ref, envFile: envFile("TOKEN=a\nHOST=b\n"), ...more });
    envFile(text);
    return made.state;
  };
  const inputs = (more: Values = {}): Values => ({
    projectRef: ref,
    envFile: join(folder, "functions.env"),
    ...more,
  });

  it.each(["", "\n\n", "# nothing\n"])("is refused in the check where it had something: %j", async (text) => {
    const before = await emptied(text);
    scenario.emulator.control.clearCalls();
    expect(sets.failures(inputs(), before)).toEqual([
      expect.stringMatching(
        /^envFile: .*functions\.env is empty now, so `HOST`, `TOKEN` would be deleted\. .*`allowEmpty: true`/,
      ),
    ]);
    expect(scenario.calls()).toBe(0);
  });

  it("removes them with `allowEmpty: true`", async () => {
    const before = await emptied("");
    expect(sets.failures(inputs({ allowEmpty: true }), before)).toEqual([]);
    scenario.nextRun();
    await sets.update({ id: ref, state: before }, inputs({ allowEmpty: true }));
    expect(onService()).toEqual({});
  });

  it("is refused beside secrets of the program as well, unless they took its place", async () => {
    const before = await emptied("", { secrets: { MAIL: "c" } });
    const [failure = "", ...others] = sets.failures(inputs({ secrets: { MAIL: "c", HOST: "b" } }), before);
    expect(failure).toContain("so `TOKEN` would be deleted");
    expect(others).toEqual([]);
    expect(sets.failures(inputs({ secrets: { TOKEN: "a", HOST: "b" } }), before)).toEqual([]);
  });

  it("is no fault where a new set has one, but for `prune`", () => {
    envFile("");
    expect(sets.failures(inputs())).toEqual([]);
    expect(sets.failures(inputs({ prune: true }))[0]).toContain("with `prune` everything");
    expect(sets.failures(inputs({ prune: true, secrets: { MAIL: "c" } }))).toEqual([]);
  });

  it("is not what a program says that declares an empty map itself", async () => {
    const made = await sets.create(declared({ HOST: "a" }));
    expect(sets.failures(declared({}), made.state)).toEqual([]);
  });
});

describe("a file that is no regular file of its folder", () => {
  const failure = (): string =>
    sets.failures({ projectRef: ref, envFile: join(folder, "own/app.env") }).join();
  beforeEach(() => mkdirSync(join(folder, "own/..data"), { recursive: true }));

  it("is not opened where it is a FIFO or a folder", () => {
    fifo(join(folder, "own/app.env"));
    expect(failure()).toContain("app.env cannot be read: it is not a regular file");
    rmSync(join(folder, "own/app.env"));
    mkdirSync(join(folder, "own/app.env"));
    expect(failure()).toContain("app.env cannot be read: it is a folder");
  });

  it("is not read behind a link out of the folder, and is behind one within", async () => {
    writeFileSync(join(folder, "other"), "TOKEN=leaked\n");
    symlinkSync("../other", join(folder, "own/app.env"));
    expect(failure()).toMatch(/app\.env cannot be read: it leads to .*other, outside of .*own/);
    expect(failure()).not.toContain("leaked");
    rmSync(join(folder, "own/app.env"));
    writeFileSync(join(folder, "own/..data/app.env"), "TOKEN=within\n");
    symlinkSync("..data/app.env", join(folder, "own/app.env"));
    await sets.create({ projectRef: ref, envFile: join(folder, "own/app.env") });
    expect(onService()).toEqual({ TOKEN: "within" });
  });
});

it("refuses reserved names, values that are too long, and a set without a source", () => {
  expect(sets.failures(declared({ SVC_A: "b" }))).toEqual([
    "secrets.SVC_A: invalid key; names that begin with SVC_ are reserved by the service",
  ]);
  expect(sets.failures(declared({ A: "x".repeat(24_577) }))).toEqual([
    "secrets.A: the value is secret and not shown; at most 24576 characters allowed",
  ]);
  const prototype = JSON.parse('{"__proto__": {}}') as Record<string, string>;
  expect(sets.failures(declared(prototype))).toEqual([
    "secrets: `__proto__` cannot be a secret: a name that is reserved in JavaScript",
  ]);
  expect(sets.failures({ projectRef: ref })).toEqual(["secrets: declare `secrets`, `envFile` or both"]);
});

describe("secrets that exist", () => {
  it("are not overwritten, when created or when declared later", async () => {
    writeOutside("TOKEN", "somebody's");
    await expect(sets.create(declared({ HOST: "a", TOKEN: "mine" }))).rejects.toThrow("it has `TOKEN`");
    expect(onService()).toEqual({ TOKEN: "somebody's" });
    const made = await sets.create(declared({ HOST: "a" }));
    scenario.nextRun();
    await expect(sets.update(made, declared({ HOST: "b", TOKEN: "mine" }))).rejects.toThrow("adopt: true");
    expect(onService()).toEqual({ HOST: "a", TOKEN: "somebody's" });
  });

  it("are taken over where the program says so", async () => {
    writeOutside("TOKEN", "somebody's");
    const made = await sets.create(declared({ TOKEN: "mine" }, { adopt: true }));
    expect(onService()).toEqual({ TOKEN: "mine" });
    await sets.delete(made);
    expect(onService()).toEqual({});
  });

  it("are somebody's though they have the declared value", async () => {
    writeOutside("TOKEN", "mine");
    await expect(sets.create(declared({ HOST: "a", TOKEN: "mine" }))).rejects.toThrow("it has `TOKEN`");
    const made = await sets.create(declared({ HOST: "a" }));
    scenario.nextRun();
    const more = declared({ HOST: "b", TOKEN: "mine" });
    await expect(sets.update(made, more)).rejects.toThrow("already has `TOKEN`. Nothing was changed");
    scenario.nextRun();
    await sets.delete(made);
    expect(onService()).toEqual({ TOKEN: "mine" });
  });

  it("cost no write to take over where they have the declared value", async () => {
    writeOutside("TOKEN", "mine");
    await sets.create(declared({ TOKEN: "mine" }, { adopt: true }));
    expect(scenario.calls("createSecrets")).toBe(0);
  });

  it("stay when the set is deleted that does not declare them", async () => {
    writeOutside("OTHER", "theirs");
    const made = await sets.create(declared({ TOKEN: "mine" }));
    await sets.delete(made);
    expect(onService()).toEqual({ OTHER: "theirs" });
  });
});

describe("an update that failed half-way", () => {
  const failsToRemove = async (): Promise<{ id: string; state: Values }> => {
    const made = await sets.create(declared({ HOST: "a", GONE: "b" }));
    scenario.nextRun();
    scenario.emulator.control.addFault({ operation: "deleteSecrets", status: 403, times: 1 });
    await expect(sets.update(made, declared({ HOST: "a", PORT: "c" }))).rejects.toThrow();
    expect(onService()).toEqual({ HOST: "a", GONE: "b", PORT: "c" });
    scenario.nextRun();
    return made;
  };

  it("is finished by the next one, which knows what it had begun to manage", async () => {
    const made = await failsToRemove();
    await sets.update(made, declared({ HOST: "a", PORT: "another" }));
    expect(onService()).toEqual({ HOST: "a", PORT: "another" });
  });

  it("takes back what it had begun to manage and is declared no longer", async () => {
    const made = await failsToRemove();
    const inputs = declared({ HOST: "a", GONE: "b" });
    const updated = await sets.update(made, inputs);
    expect(onService()).toEqual({ HOST: "a", GONE: "b" });
    scenario.nextRun();
    expect(sets.diff(updated.state, inputs).changes).toBe(false);
  });
});

describe("prune", () => {
  it("lists what is not declared, and removes it by the update that shows it", async () => {
    writeOutside("OTHER", "theirs");
    writeOutside("THIRD", "theirs");
    const inputs = declared({ TOKEN: "mine" }, { prune: true });
    const made = await sets.create(inputs);
    expect(onService()).toHaveProperty("OTHER");
    expect(made.state["undeclared"]).toEqual(["OTHER", "THIRD"]);
    expect(scenario.warnings.join()).toContain("`OTHER`, `THIRD` exist in the project");

    scenario.nextRun();
    expect(sets.diff(made.state, inputs)).toMatchObject({ changes: true, renewed: ["undeclared"] });
    writeOutside("LATER", "theirs");
    const updated = await sets.update(made, inputs);
    expect(onService()).toEqual({ TOKEN: "mine", LATER: "theirs" });
    expect(updated.state["undeclared"]).toEqual(["LATER"]);

    scenario.nextRun();
    const last = await sets.update(updated, inputs);
    expect(onService()).toEqual({ TOKEN: "mine" });
    expect(sets.diff(last.state, inputs).changes).toBe(false);
  });

  it("shows in a refresh what others add", async () => {
    const inputs = declared({ TOKEN: "mine" }, { prune: true });
    const made = await sets.create(inputs);
    writeOutside("OTHER", "theirs");
    scenario.nextRun();
    const read = await sets.read(made);
    expect(read?.state["undeclared"]).toEqual(["OTHER"]);
    expect(sets.diff(read?.state ?? {}, inputs).renewed).toEqual(["undeclared"]);
  });

  it("lists when it is switched on, and keeps everything once it is off", async () => {
    writeOutside("OTHER", "theirs");
    const made = await sets.create(declared({ TOKEN: "mine" }));
    expect(made.state).not.toHaveProperty("undeclared");
    const on = await sets.update(made, declared({ TOKEN: "mine" }, { prune: true }));
    expect(on.state["undeclared"]).toEqual(["OTHER"]);
    scenario.nextRun();
    const off = await sets.update(on, declared({ TOKEN: "mine" }));
    expect(off.state).not.toHaveProperty("undeclared");
    expect(onService()).toHaveProperty("OTHER");
  });
});
