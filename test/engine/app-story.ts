import { copyFileSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../tools/engine/engine";
import { startEmulated } from "../../tools/engine/emulated-program";
import { LANGUAGES, type Example } from "./example";
import { engineForTests } from "./harness";
import { expectSuccess, outputOf } from "./stack";

/** The example whose folders its other languages share. */
export const APP = "app-from-folders";

export interface AppOptions {
  readonly env?: Environment;
  /** Where the program writes the types, within its folder; otherwise they are the output `types`. */
  readonly typesFile?: string;
}

/** Three sets, the project and the stack. */
const ALL = 5;
const DB_PASS = "db-password-of-the-test";

/** Makes the application, finds nothing to do, follows each of its folders with the one set that it belongs to, and removes all. */
export async function expectAppStory(
  { root }: Example,
  name: string,
  { env = {}, typesFile }: AppOptions = {},
): Promise<void> {
  const folders = join(root, "examples", APP);
  const program = join(root, "examples", name);
  copyFileSync(join(folders, ".env.example"), join(folders, ".env"));
  const engine = await engineForTests(LANGUAGES);
  const stack = await startEmulated(() => program, { engine, env });
  const { emulator, workspace } = stack;
  const { control } = emulator;
  const shown: string[] = [];
  const up = async (): Promise<Record<string, number>> => {
    const done = await workspace.up();
    shown.push(outputOf(done));
    expectSuccess(done);
    const { create, update, replace, same } = done.summary;
    return { create, update, replace, same };
  };
  const types = async (): Promise<string> =>
    typesFile === undefined
      ? String((await workspace.outputs())["types"])
      : readFileSync(join(program, typesFile), "utf8");
  try {
    await workspace.config("organizationSlug", "acme");
    await workspace.config("dbPass", DB_PASS, { secret: true });

    expect(await up()).toEqual({ create: ALL, update: 0, replace: 0, same: 0 });
    const outputs = await workspace.outputs();
    expect(outputs).toMatchObject({
      latestMigration: "20260102120000",
      functions: ["health", "orders"],
      secrets: ["PAYMENT_TOKEN", "PAYMENT_URL"],
    });
    // The table of customers has no policy for its rows.
    expect(JSON.stringify(outputs["advice"] ?? outputs["security"])).toContain("customers");
    expect(await types()).toContain("placed_at");
    expect(await types()).not.toContain("shipments");

    control.clearCalls();
    expect(await up()).toEqual({ create: 0, update: 0, replace: 0, same: ALL });
    const writes = control.calls().filter(({ method }) => method !== "GET");
    expect(writes).toEqual([]);

    const migration = join(folders, "migrations", "20260103120000_create_shipments.sql");
    writeFileSync(migration, "create table shipments (order_id bigint references orders (id));\n");
    expect(await up()).toEqual({ create: 0, update: 1, replace: 0, same: ALL - 1 });
    expect((await workspace.outputs())["latestMigration"]).toBe("20260103120000");
    expect(await types()).toContain("shipments");

    const source = join(folders, "functions", "health", "index.ts");
    writeFileSync(source, readFileSync(source, "utf8").replace('"ok"', '"well"'));
    control.clearCalls();
    expect(await up()).toEqual({ create: 0, update: 1, replace: 0, same: ALL - 1 });
    const deployed = control.calls().filter(({ operation }) => operation === "deployFunction");
    expect(deployed).toHaveLength(1);

    writeFileSync(
      join(folders, ".env"),
      "PAYMENT_URL=https://pay.example.com\nPAYMENT_TOKEN=the-second-token\n",
    );
    expect(await up()).toEqual({ create: 0, update: 1, replace: 0, same: ALL - 1 });

    await expectEmptiedRefused(folders, async () => {
      control.clearCalls();
      const preview = await workspace.preview();
      expect(preview.exitCode).not.toBe(0);
      expect(control.calls().filter(({ method }) => method !== "GET")).toEqual([]);
      return outputOf(preview);
    });

    const destroyed = await workspace.destroy();
    shown.push(outputOf(destroyed));
    expectSuccess(destroyed);
    expect(control.call("listProjects", {})).toEqual([]);
    for (const secret of [DB_PASS, "a token of yours", "the-second-token"])
      expect(shown.join("\n")).not.toContain(secret);
  } finally {
    await stack.dispose();
  }
}

/** A build that failed leaves a file, or a folder, with nothing in it: no preview removes what came from it. */
async function expectEmptiedRefused(folders: string, refused: () => Promise<string>): Promise<void> {
  const [file, functions] = [join(folders, ".env"), join(folders, "functions")];
  const text = readFileSync(file);
  writeFileSync(file, "");
  expect(await refused()).toMatch(/is empty now, so `PAYMENT_TOKEN`, `PAYMENT_URL` would be/);
  writeFileSync(file, text);
  renameSync(functions, `${functions}-built`);
  mkdirSync(functions);
  expect(await refused()).toMatch(/is empty now, so `health`, `orders` would be deleted/);
  rmdirSync(functions);
  renameSync(`${functions}-built`, functions);
}
