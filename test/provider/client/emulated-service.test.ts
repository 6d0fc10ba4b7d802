import { randomBytes } from "node:crypto";
import { ManagementClient } from "../../../provider/client";
import { NotFoundError, QuotaError } from "../../../provider/client/errors/errors";
import { currentOperations, newerOperations, operations, type OperationName } from "../../../spec/table";
import { measuredStatusOf } from "../../../spec/operation";
import { databaseOperations } from "../../../tools/fuzz/operations/database-operations";
import type { Scene } from "../../../tools/fuzz/operations/sample";
import { samples } from "../../../tools/fuzz/operations/samples";
import { type Stage, startStage } from "../../../tools/fuzz/operations/scene";
import { failureOf } from "./setup";

let stage: Stage;
let scene: Scene;
let client: ManagementClient;

beforeAll(async () => {
  stage = await startStage();
});
beforeEach(() => {
  scene = stage.fresh();
  client = new ManagementClient({ baseUrl: scene.emulator.url, accessToken: scene.emulator.accessToken });
});
afterEach(async () => {
  await client.close();
  expect(scene.control.internalErrors).toEqual([]);
});
afterAll(() => stage.close());

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

// The keys of the table are its operation names, which `Object.keys` widens to string.
const names = (Object.keys(operations) as OperationName[]).filter((name) => !(name in databaseOperations));

it.each(names)("%s succeeds through the client", async (name) => {
  // Samples and methods have the same keys, of which each sample makes what its method takes.
  const sample = samples[name];
  const method = client[name] as (parameters: unknown) => Promise<unknown>;
  const parameters = await sample(scene);
  scene.control.clearCalls();

  const answer = await method(parameters);

  const status = measuredStatusOf(operations[name]);
  expect(scene.control.calls().map((call) => [call.operation, call.status])).toEqual([[name, status]]);
  expect(answer === undefined).toBe(operations[name].success.schema.def.type === "void");
});

// The keys of the table are its operation names, which `Object.keys` widens to string.
it.each(Object.keys({ ...newerOperations, ...currentOperations }) as OperationName[])(
  "an installation without %s is named as such, and nothing counts as gone",
  async (name) => {
    const method = client[name] as (parameters: unknown) => Promise<unknown>;
    const parameters = await samples[name](scene);
    scene.control.edit((state) => {
      state.newerOperationsOffered = false;
    });

    const failure = await failureOf(method(parameters));

    expect(failure).not.toBeInstanceOf(NotFoundError);
    expect(failure).toMatchObject({
      status: 404,
      message: expect.stringContaining(`This installation does not have the operation ${name}: `) as string,
    });
  },
);

// service, Limits: a 429 with calls left in the window.
it("tells a disk or an add-on that is changed again too early at once, and waits for no window", async () => {
  const { control, ref } = scene;
  const disk = (size_gb: number): Promise<unknown> =>
    client.updateDisk({ ref, body: { attributes: { type: "gp3", size_gb, iops: 3_000 } } });
  const size = (addon_variant: "ci_small" | "ci_large"): Promise<unknown> =>
    client.applyAddon({ ref, body: { addon_type: "compute_instance", addon_variant } });
  const tooEarly = async (call: Promise<unknown>, said: string): Promise<void> => {
    const failure = await failureOf(call);
    expect(failure).toBeInstanceOf(QuotaError);
    expect(failure).toMatchObject({ status: 429, serviceMessage: expect.stringContaining(said) as string });
  };
  await disk(20);
  await tooEarly(disk(30), "once per four hours");
  await size("ci_small");
  await tooEarly(size("ci_large"), "still processing addon changes");
  expect(control.calls().map(({ status }) => status)).toEqual([201, 429, 200, 429]);
});

it("runs SQL and streams a branch's difference", async () => {
  const { control, clock, ref } = scene;
  const branch = await client.createBranch({ ref, body: { branch_name: "preview" } });
  clock.advance(300_000);
  const query = "create table products (id int primary key)";
  await client.applyMigration({ ref: branch.project_ref, "Idempotency-Key": "products-1", body: { query } });
  expect(await client.runQuery({ ref: branch.project_ref, body: { query: "select 1 as one" } })).toEqual([
    { one: 1 },
  ]);
  let difference = "";
  const stream = await client.stream.diffBranch({ branch_id_or_ref: branch.project_ref });
  for await (const text of stream.pipeThrough(new TextDecoderStream())) difference += text;
  expect(difference).toMatch(/create table .*products/i);
  expect(control.calls({ operation: "applyMigration" }).map(({ status }) => status)).toEqual([200]);
});

it("iterates an organization's projects, in pages of two", async () => {
  for (const name of ["a", "b", "c", "d"]) {
    await client.createProject({ body: { name, organization_slug: "acme", db_pass: "a-password" } });
  }
  const projects = await all(
    client.iterate.listOrganizationProjects({ slug: "acme", sort: "name_asc", pageSize: 2 }),
  );
  expect(projects.map(({ name }) => name)).toEqual(["a", "b", "c", "d", "shop"]);
  expect(scene.control.countCalls({ operation: "listOrganizationProjects" })).toBe(3);
});

it("iterates snippets by their cursors", async () => {
  const { control, ref } = scene;
  const named = ["e", "b", "d", "a", "c"];
  for (const name of named) control.createSnippet({ projectRef: ref, name, sql: "select 1" });
  const options = { project_ref: ref, sort_by: "name", sort_order: "asc", pageSize: 2 } as const;
  const snippets = await all(client.iterate.listSnippets(options));
  expect(snippets.map(({ name }) => name)).toEqual(named.toSorted());
  expect(control.countCalls({ operation: "listSnippets" })).toBe(3);
});

it("iterates as many action runs as it counts, and streams the logs of one", async () => {
  const { clock, ref } = scene;
  const branch = await client.createBranch({ ref, body: { branch_name: "preview" } });
  clock.advance(300_000);
  const runs = await all(client.iterate.listActionRuns({ ref: branch.project_ref, pageSize: 10 }));
  expect(runs).toHaveLength(await client.countActionRuns({ ref: branch.project_ref }));
  const unknown = client.countActionRuns({ ref: "abcdefghijklmnopqrst" });
  expect(await failureOf(unknown)).toBeInstanceOf(NotFoundError);
  const run = { ref: branch.project_ref, run_id: runs[0]?.id ?? "" };
  let streamed = "";
  const stream = await client.stream.getActionRunLogs(run);
  for await (const text of stream.pipeThrough(new TextDecoderStream())) streamed += text;
  expect(streamed).not.toBe("");
  expect(streamed).toBe(await client.getActionRunLogs(run));
});

it("keeps a function's bundle byte for byte, whole and streamed", async () => {
  const bundle = new Uint8Array(randomBytes(3 * 1024 * 1024));
  const { ref } = scene;
  const file = [{ name: "index.ts", content: Buffer.from("Deno.serve()") }];
  await client.deployFunction({
    ref,
    slug: "hello",
    body: { file, metadata: { entrypoint_path: "index.ts" } },
  });
  await client.updateFunction({ ref, function_slug: "hello", body: bundle });
  const whole = await client.getFunctionBody({ ref, function_slug: "hello" });
  expect(Buffer.compare(whole, bundle)).toBe(0);
  const stream = await client.stream.getFunctionBody({ ref, function_slug: "hello" });
  expect(Buffer.compare(Buffer.concat(await all(stream)), bundle)).toBe(0);
  const unknown = client.stream.getFunctionBody({ ref, function_slug: "unknown" });
  expect(await failureOf(unknown)).toBeInstanceOf(NotFoundError);
});
