import fc from "fast-check";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findPackageRoot } from "../../tools/engine/package-root";
import { GrownByHand } from "../histories/grown-by-hand";
import { describeProjectAction, HUSH, projectAction } from "../histories/project-actions";
import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { startImportCommand, type ImportCommand } from "./import-command";

let command: ImportCommand;
beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);
beforeEach(async () => {
  command = await startImportCommand();
});
afterEach(() => command.dispose());

describe.each(["yaml", "typescript"])("a random project, in %s", (language) => {
  it.each([1, 2, 3])("is imported by the engine without a change or a write, with seed %d", async (seed) => {
    const [actions = []] = fc.sample(fc.array(projectAction, { minLength: 6, maxLength: 14 }), {
      seed,
      numRuns: 1,
    });
    const { folder, emulator } = command;
    const project = new GrownByHand(emulator.control, folder);
    for (const each of actions) await project.act(each);
    const out = join(folder, "program");
    mkdirSync(out);
    symlinkSync(join(findPackageRoot(), "node_modules"), join(out, "node_modules"), "junction");
    const values = [...project.given].map(([name, value]) => `${name}=${JSON.stringify(value)}\n`);
    const plain = values.filter((line) => /^[A-Za-z_]\w*="[\w -]*"\n$/.test(line));
    writeFileSync(join(folder, "secrets.env"), plain.join(""));
    const migrations = readdirSync(folder).includes("migrations")
      ? ["--migrations", join(folder, "migrations")]
      : [];
    const choose = [...project.choose].flatMap((type) => ["--choose", type]);
    const options = [
      "--project",
      project.ref,
      "--out",
      out,
      "--language",
      language,
      "--dotenv",
      join(folder, "secrets.env"),
    ];
    const { code, text } = await command.run([
      ...options,
      ...migrations,
      ...choose,
      ...(project.full ? ["--full"] : []),
    ]);
    const history = actions.map(describeProjectAction).join("\n");
    expect({ code, text: `${history}\n${text}` }).toMatchObject({
      code: 0,
      text: expect.stringContaining("of which 0 were writes") as unknown,
    });
    for (const { name } of readdirSync(out, { withFileTypes: true }).filter((entry) => entry.isFile()))
      expect({ name, text: readFileSync(join(out, name), "utf8") }).not.toMatchObject({
        text: expect.stringContaining(HUSH) as unknown,
      });
  });
});
