import { readdirSync, rmSync } from "node:fs";
import { finishDatabaseWork } from "../../emulator/service/rules/shared/database/database-work";
import type { CallRecord } from "../../emulator/service/world/call-record";
import { formatEnvExample, formatReadme, createSupportFiles } from "../../import/documents";
import { takeInventory, type Inventory } from "../../import/inventory";
import { renderPythonProgram } from "../../import/languages/python";
import { renderTypeScriptProgram } from "../../import/languages/typescript";
import { renderYamlProgram } from "../../import/languages/yaml";
import { buildProgram, type Program } from "../../import/model";
import { placeSource } from "../../import/source-folders";
import { InvalidInputError } from "../../provider/client/errors/errors";
import { resourceByType } from "../../provider/catalog/catalog";
import type { AnyResource } from "../../provider/define/resource";
import { checkInputs } from "../../provider/engine/check";
import { diffAt } from "../../provider/engine/diff";
import type { Values } from "../../provider/define/values";
import { readResource } from "../../provider/engine/read";
import { operations } from "../../spec/table";
import { recordedOf } from "../import/recorded";
import { undeclaredOf } from "../import/undeclared";
import { editsOf, isElsewhere } from "../import/random/edits";
import { evaluateTypeScript, evaluateYaml, type Evaluated } from "../import/random/evaluate";
import type { Scenario } from "../kit/scenario";
import { temporaryFolder } from "../kit/temporary-folder";
import { GrownByHand } from "./grown-by-hand";
import { HUSH, type ProjectAction } from "./project-actions";
import type { History } from "./play";

/** A project that grows by hand, and is brought under Pulumi in the end. */
export class ImportHistory implements History<ProjectAction> {
  private readonly folder = temporaryFolder("management-import-");
  private readonly project: GrownByHand;

  constructor(private readonly scenario: Scenario) {
    this.project = new GrownByHand(scenario.emulator.control, this.folder);
  }

  act(action: ProjectAction): Promise<void> {
    return this.project.act(action);
  }

  async requireEnd(): Promise<void> {
    const began = process.cwd();
    try {
      // The paths of a program begin in its folder.
      process.chdir(this.folder);
      this.scenario.nextRun();
      this.scenario.emulator.control.clearCalls();
      // What runs have done by now, any call would store.
      await finishDatabaseWork(this.scenario.emulator.world);
      const before = JSON.stringify(this.scenario.emulator.control.snapshot());
      const { program, written } = await this.imported();
      requireNoSecret(written);
      await this.requireNoChange(program, written);
      const calls = this.scenario.emulator.control.calls();
      const writes = calls.filter(isWrite).map(({ operation }) => operation);
      if (writes.length > 0) throw new Error(`the import wrote: ${writes.join()}`);
      const after = JSON.stringify(this.scenario.emulator.control.snapshot());
      if (before !== after) throw new Error("the import changed what the service stores");
    } finally {
      process.chdir(began);
    }
  }

  private async imported(): Promise<{ program: Program; written: Record<string, string> }> {
    const { folder } = this;
    const { ref: projectRef, full, choose, given } = this.project;
    const hasMigrations = readdirSync(folder).includes("migrations");
    const found = await takeInventory(this.scenario.runtime, {
      projectRef,
      full,
      choose: [...choose],
      secretValues: given,
      migrations: hasMigrations ? "migrations" : undefined,
    });
    const problems = found.failed
      // No program can declare a migration without a name.
      .filter(({ type, why }) => type !== "Migration" || !why.includes("does not return its `name`"))
      .map(({ type, label, why }) => `${type} ${label}: ${why}`);
    if (problems.length > 0) throw new Error(`not imported: ${problems.join("; ")}`);
    await this.requireAllDeclared(found);
    const notes: string[] = [];
    const objects = found.objects.map((each) => {
      const { found: placed, note } = placeSource(each, folder, undefined);
      if (note !== undefined) notes.push(note);
      return placed;
    });
    const inventory = { ...found, objects };
    const program = buildProgram(inventory);
    const written = {
      ...createSupportFiles(program, "typescript", "1.0.0"),
      "index.ts": renderTypeScriptProgram(program),
      "__main__.py": renderPythonProgram(program),
      "Pulumi.yaml": renderYamlProgram(program),
      ".env.example": formatEnvExample(inventory),
      "README.md": formatReadme(program, inventory, { language: "typescript", notes, notImported: [] }),
    };
    return { program, written };
  }

  private async requireAllDeclared(inventory: Inventory): Promise<void> {
    if (!this.project.full) return;
    for (const each of inventory.objects) {
      const undeclared = await undeclaredOf(this.scenario.runtime, inventory, each);
      expect({ importId: each.importId, undeclared }).toEqual({ importId: each.importId, undeclared: [] });
    }
  }

  /** The programs say what the model says, and what they say is what an import records. */
  private async requireNoChange(program: Program, written: Record<string, string>): Promise<void> {
    const shown = program.resources.filter(({ comment }) => comment === undefined);
    const programs = [
      evaluateTypeScript(written["index.ts"] ?? "", program),
      evaluateYaml(written["Pulumi.yaml"] ?? "", program),
    ];
    for (const declared of programs) {
      expect([...declared.keys()].sort()).toEqual(shown.map(({ name }) => name).sort());
      for (const { name, type, inputs, dependsOn, deletedWith } of shown) {
        const { protect, ...evaluated } = declared.get(name) ?? missing(name);
        expect({ name, protect, ...evaluated }).toEqual({
          name,
          protect: true,
          type,
          dependsOn: dependsOn.map((first) => first.name),
          deletedWith: deletedWith?.name,
          inputs: JSON.parse(JSON.stringify(inputs)) as unknown,
        });
      }
    }
    for (const each of shown) {
      const resource = resourceByType(each.type);
      const { id, state: recorded } = await recordedOf(this.scenario.runtime, each);
      const declared = (programs[0]?.get(each.name) ?? missing(each.name)).inputs;
      expect({ name: each.name, changes: this.changes(resource, recorded, declared) }).toEqual({
        name: each.name,
        changes: [],
      });
      await this.requireNoDrift(each.name, resource, id, recorded, declared);
      for (const { path, edited, replaces } of editsOf(resource, declared)) {
        const changes = this.changesOrRefusal(resource, recorded, edited, replaces);
        const others = changes.filter((other) => isElsewhere(resource, other, path));
        expect({ name: each.name, path, changes: changes.length > 0, others }).toEqual({
          ...{ name: each.name, path, changes: true, others: [] },
        });
      }
    }
  }

  /** A refresh, before a first `up` and again, shows what the program declares. */
  private async requireNoDrift(
    name: string,
    resource: AnyResource,
    id: string,
    recorded: Values,
    declared: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const { inputs } = checkInputs(resource, { ...declared }, { ...declared });
    let state = recorded;
    for (const run of ["first", "second"]) {
      this.scenario.nextRun();
      const read = await readResource(this.scenario.runtime, resource, id, state);
      if (read === undefined) throw new Error(`a refresh removes ${name}`);
      const shown = Object.fromEntries(Object.keys(read.inputs).map((key) => [key, state[key]]));
      expect({ run, name, inputs: read.inputs }).toEqual({ run, name, inputs: shown });
      const changes = this.changes(resource, read.state, inputs);
      expect({ run, name, changes }).toEqual({ run, name, changes: [] });
      ({ state } = read);
    }
  }

  /** An edit may be refused, as one that would replace a project: then its place is all that there is to tell. */
  private changesOrRefusal(
    resource: AnyResource,
    recorded: Values,
    edited: Readonly<Record<string, unknown>>,
    replaces: string | undefined,
  ): readonly string[] {
    try {
      return this.changes(resource, recorded, edited);
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      return [replaces ?? error.path];
    }
  }

  private changes(
    resource: AnyResource,
    state: Values,
    declared: Readonly<Record<string, unknown>>,
  ): readonly string[] {
    const { inputs, failures } = checkInputs(resource, { ...declared }, { ...declared });
    expect({ type: resource.type, failures }).toEqual({ type: resource.type, failures: [] });
    return diffAt(resource, state, inputs, this.scenario.clock.now()).properties.map(({ path }) => path);
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A query that only reads is sent as a `POST`. */
function isWrite({ method, operation }: CallRecord): boolean {
  const isRead = operation !== undefined && operations[operation].scope?.endsWith(":read") === true;
  return method !== "GET" && !isRead;
}

function missing(name: string): Evaluated {
  throw new Error(`the program does not declare ${name}`);
}

function requireNoSecret(written: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(written)) {
    const [line] = text.split("\n").filter((each) => each.includes(HUSH));
    if (line !== undefined) throw new Error(`${file} has a secret in clear: ${line}`);
  }
}
