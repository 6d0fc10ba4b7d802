import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UNKNOWN } from "../../provider/define/unknown";
import { toSecret as secret } from "../../provider/engine/schema/secrets";
import type { Values } from "../../provider/define/values";
import { startPluginProcess } from "../kit/plugin-process";
import { startProviderProcess, type InState, type ProviderProcess } from "../kit/provider-process";
import { startScenario, type Scenario } from "../kit/scenario";
import { temporaryFolder } from "../kit/temporary-folder";

// What the default preview says in words, as an engine without `--diff` shows the names of inputs only.

let scenario: Scenario;
let folder: string;
const started: ProviderProcess[] = [];
beforeEach(async () => {
  scenario = await startScenario();
  folder = temporaryFolder("management-plan-");
});
afterEach(async () => {
  for (const provider of started.splice(0)) await provider.close();
  rmSync(folder, { recursive: true, force: true });
  await scenario.close();
});

const forms = [
  ["the dynamic provider", (type: string) => Promise.resolve(startProviderProcess(scenario, type))],
  ["the plugin", (type: string) => startPluginProcess(scenario, type)],
] as const;

function write(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
}

describe.each(forms)("through %s", (_, start) => {
  let provider: ProviderProcess;

  async function begin(type: string): Promise<void> {
    provider = await start(type);
    started.push(provider);
  }

  function newLines(since: number): string[] {
    return provider.lines.slice(since).filter((line) => !line.startsWith("waiting"));
  }

  async function checked(inputs: Values, before?: Values): Promise<Values> {
    const { inputs: result, failures } = await provider.check(inputs, before);
    expect(failures).toEqual([]);
    return result;
  }

  /** What a preview says of a create, and what it has made. */
  async function create(
    inputs: Values,
  ): Promise<InState & { readonly said: string[]; readonly inputs: Values }> {
    const since = provider.lines.length;
    const declared = await checked(inputs);
    if ("urn" in provider)
      await (provider as Awaited<ReturnType<typeof startPluginProcess>>).create(declared, { preview: true });
    const said = newLines(since);
    return { said, inputs: declared, ...(await provider.create(declared)) };
  }

  /** What a preview says of an update. */
  async function planned(made: InState & { readonly inputs: Values }, inputs: Values): Promise<string[]> {
    const since = provider.lines.length;
    const declared = await checked(inputs, made.inputs);
    expect(await provider.diff(made, declared)).toMatchObject({ changes: true });
    return newLines(since);
  }

  const has = (text: string): unknown => expect.stringContaining(text) as unknown;

  it("names the migrations that are pending", async () => {
    await begin("MigrationSet");
    const inputs = { projectRef: scenario.healthyProject(), directory: folder };
    write("20260101000000_first.sql", "create table first ();");
    const made = await create(inputs);
    expect(made.said).toEqual([
      has("pending, unless the history or `baseline` has them: 20260101000000_first.sql"),
    ]);
    write("20260104000000_note.sql", "create table note ();");
    write("20260105000000_a\u001b]52;c;x.sql", "create table other ();");
    const [line = "", ...others] = await planned(made, inputs);
    expect(others).toEqual([]);
    expect(line).toMatch(/pending: 20260104000000_note\.sql, "20260105000000_a/);
    expect(line).not.toContain("\u001b");
  });

  it("names the migrations that are rolled back, and those of a project that is to be made", async () => {
    await begin("MigrationSet");
    write("20260101000000_first.sql", "create table first ();");
    write("20260102000000_second.sql", "create table second ();");
    write("rollbacks/20260102000000_second.sql", "drop table second;");
    const before = provider.lines.length;
    const [__owner, inputsOfNew] = ["acme/shop/dev/schema", { projectRef: UNKNOWN, directory: folder }];
    await checked("urn" in provider ? inputsOfNew : { ...inputsOfNew, __owner });
    expect(newLines(before).join()).not.toContain(UNKNOWN);
    if (!("urn" in provider)) expect(newLines(before)).toEqual([has("MigrationSet schema: pending: 2026")]);
    const inputs = { projectRef: scenario.healthyProject(), directory: folder };
    const made = await create(inputs);
    expect(await planned(made, { ...inputs, rollbackTo: "20260101000000" })).toEqual([
      has("will roll back: 20260102000000_second.sql"),
    ]);
  });

  it("names the functions that are deployed, changed, deleted and left out", async () => {
    await begin("FunctionSet");
    const inputs = { projectRef: scenario.healthyProject(), sourceDir: folder };
    for (const name of ["hello", "mail", "old", "later"])
      write(`${name}/index.ts`, `export default "${name}";`);
    const made = await create(inputs);
    expect(made.said).toEqual([has("will deploy: hello, later, mail, old")]);
    write("hello/index.ts", "export default 2;");
    write("new/index.ts", "export default 3;");
    rmSync(join(folder, "old"), { recursive: true });
    const lines = await planned(made, {
      ...inputs,
      exclude: ["later"],
      functions: { mail: { verifyJwt: false } },
    });
    expect(lines).toEqual([
      has("The set no longer includes `later`"),
      has("will deploy: hello, new"),
      has("will change `verifyJwt` of: mail"),
      has("will delete: old (unless another resource of the program declares it)"),
      has("not managed: later (added)"),
    ]);
  });

  it("names the function whose source changes", async () => {
    await begin("EdgeFunction");
    const inputs = { projectRef: scenario.healthyProject(), slug: "hello", sourceDir: folder };
    write("index.ts", "export default 1;");
    const made = await create(inputs);
    expect(made.said).toEqual([]);
    write("index.ts", "export default 2;");
    expect(await planned(made, inputs)).toEqual([has("will deploy: hello")]);
  });

  it("names the secrets of a set by their names alone", async () => {
    await begin("SecretSet");
    write(".env", "GREETING=first-greeting\nOLD=first-old\n");
    const inputs = { projectRef: scenario.healthyProject(), envFile: join(folder, ".env") };
    const made = await create({ ...inputs, secrets: secret({ "\u001b[2K": "first-hostile" }) });
    expect(made.said).toHaveLength(1);
    expect(made.said[0]).toMatch(/secrets: ".*" \(added\), GREETING \(added\), OLD \(added\)$/);
    write(".env", "GREETING=second-greeting\n1A=second-new\n");
    const lines = await planned(made, { ...inputs, secrets: secret({ "\u001b[2K": "second-hostile" }) });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /secrets: ".*" \(changed\), 1A \(added\), GREETING \(changed\), OLD \(removed\)$/,
    );
    const all = [...made.said, ...lines].join();
    expect(all).not.toMatch(/first-|second-|hashes/);
    expect(all).not.toContain("\u001b");
  });

  it("says of a secret whose value is not known yet that it may change", async () => {
    await begin("SecretSet");
    const inputs = { projectRef: scenario.healthyProject(), secrets: secret({ A: "first-a", B: "first-b" }) };
    const made = await create(inputs);
    const lines = await planned(made, { ...inputs, secrets: { A: UNKNOWN, B: "first-b" } });
    expect(lines).toEqual([has("secrets: A (may change)")]);
  });

  it("names the keys of other maps", async () => {
    await begin("Branch");
    const inputs = {
      projectRef: scenario.healthyProject(),
      name: "staging",
      secrets: secret({ TOKEN: "first-token", OLD: "first-old" }),
    };
    const made = await create(inputs);
    const lines = await planned(made, { ...inputs, secrets: secret({ TOKEN: "second-token", "1A": "x" }) });
    expect(lines).toEqual([has("secrets: 1A (added), OLD (removed), TOKEN (changed)")]);
  });

  it("names the files of settings whose text changes", async () => {
    await begin("AuthConfig");
    write("mail.html", "<p>first</p>");
    const inputs = {
      projectRef: scenario.healthyProject(),
      mailer: { templates: { confirmation: { contentFile: join(folder, "mail.html") } } },
    };
    const made = await create(inputs);
    write("mail.html", "<p>second</p>");
    expect(await planned(made, inputs)).toEqual([
      has("files: mailer.templates.confirmation.contentFile (changed)"),
    ]);
  });

  it("names what expires", async () => {
    await begin("LoginRole");
    const inputs = { projectRef: scenario.healthyProject(), readOnly: true };
    const made = await create(inputs);
    await scenario.clock.sleep(30 * 24 * 3_600_000);
    expect(await planned(made, inputs)).toEqual([has("will be renewed: role, password, expiresAt")]);
  });

  it("says nothing of what nothing was planned for", async () => {
    await begin("SecretSet");
    const inputs = { projectRef: scenario.healthyProject(), secrets: secret({ A: "first-a" }) };
    const made = await create(inputs);
    const since = provider.lines.length;
    // As a refresh does: without a check of what it compares.
    await provider.diff(made, { ...made.inputs, secrets: secret({ A: "second-a" }) });
    expect(newLines(since)).toEqual([]);
  });
});
