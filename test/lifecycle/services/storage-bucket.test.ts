import { importResource } from "../../../provider/engine/import";
import { listResources } from "../../../provider/engine/list";
import { diffResource } from "../../../provider/engine/diff";
import { UNKNOWN } from "../../../provider/define/unknown";
import type { Values } from "../../../provider/define/values";
import { storageBucket } from "../../../provider/resources/services/storage-bucket/storage-bucket";
import { queried } from "../../../tools/fixtures/database-look";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let buckets: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario({ isProxied: true });
  ref = scenario.healthyProject();
  buckets = scenario.manage(storageBucket);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({ projectRef: ref, name: "avatars", ...more });
const query = (text: string) => queried(scenario, ref, text);
const stored = () =>
  query("select name, public, file_size_limit, allowed_mime_types from storage.buckets order by name");
const row = (more: Values = {}) => ({
  name: "avatars",
  public: false,
  file_size_limit: null,
  allowed_mime_types: null,
  ...more,
});
const upload = (bucket = "avatars") =>
  query(`insert into storage.objects (bucket_id, name) values ('${bucket}', 'a.png')`);
/** As the service's own client does. */
const empty = () =>
  query(
    "set storage.allow_delete_query = 'true'; delete from storage.objects; reset storage.allow_delete_query",
  );

it("is made with the service's defaults, changed in place, and resets what is taken out", async () => {
  const made = await buckets.create(declared());
  expect(made.id).toBe("avatars");
  expect(made.state).toMatchObject({ hasObjects: false });
  const createdAt = Date.parse(String(made.state["createdAt"]));
  expect(Math.abs(scenario.clock.now() - createdAt)).toBeLessThan(60_000);
  expect(await stored()).toEqual([row()]);
  expect(await query("select id, type from storage.buckets")).toEqual([{ id: "avatars", type: "STANDARD" }]);

  const settings = { public: true, fileSizeLimit: 10, allowedMimeTypes: ["image/png", "text/*"] };
  const changed = await buckets.update(made, declared(settings));
  const columns = { public: true, file_size_limit: 10, allowed_mime_types: ["image/png", "text/*"] };
  expect(await stored()).toEqual([row(columns)]);
  expect(changed.state["createdAt"]).toBe(made.state["createdAt"]);

  const bare = await buckets.update(changed, declared());
  expect(await stored()).toEqual([row()]);
  await buckets.delete(bare);
  expect(await stored()).toEqual([]);
  await buckets.delete(bare);
});

it("is shown by the API's listing", async () => {
  await buckets.create(declared({ public: true }));
  expect(await scenario.emulator.control.call("listBuckets", { ref })).toMatchObject([
    { id: "avatars", name: "avatars", public: true },
  ]);
});

it("the service refuses the same delete without its setting", async () => {
  await buckets.create(declared());
  await expect(query("delete from storage.buckets")).rejects.toThrow("Direct deletion from storage tables");
});

describe("a bucket with objects", () => {
  it("is not deleted, and says how many there are", async () => {
    const made = await buckets.create(declared());
    await upload();
    await expect(buckets.delete(made)).rejects.toThrow('"avatars" of');
    await expect(buckets.delete(made)).rejects.toThrow("it has 1 object.");
    await query(
      "insert into storage.objects (bucket_id, name) select 'avatars', n::text from generate_series(1, 1200) n",
    );
    await expect(buckets.delete(made)).rejects.toThrow("it has more than 1000 objects");
    expect(await stored()).toEqual([row()]);
    await empty();
    await buckets.delete(made);
    expect(await stored()).toEqual([]);
    // The setting ended with the delete.
    await query("insert into storage.buckets (id, name) values ('b', 'b')");
    await expect(query("delete from storage.buckets")).rejects.toThrow("Direct deletion");
  });

  it("is not deleted while an upload in parts is under way", async () => {
    const made = await buckets.create(declared());
    await query(
      "insert into storage.s3_multipart_uploads (id, upload_signature, bucket_id, key, version) values ('u', 's', 'avatars', 'k', 'v')",
    );
    await expect(buckets.delete(made)).rejects.toThrow("uploads under way");
    expect(await stored()).toEqual([row()]);
  });

  it("is not replaced, as a preview says, until a refresh has seen it empty", async () => {
    const made = await buckets.create(declared());
    const renamed = declared({ name: "pictures" });
    expect(buckets.diff(made.state, renamed)).toMatchObject({
      replaces: ["name"],
      deleteBeforeReplace: true,
    });
    await upload();
    scenario.nextRun();
    const seen = await buckets.read(made);
    expect(seen?.state["hasObjects"]).toBe(true);
    if (seen === undefined) throw new Error("the bucket is gone");
    expect(() => buckets.diff(seen.state, renamed)).toThrow("The bucket has objects.");
    expect(buckets.diff(seen.state, declared({ name: UNKNOWN }))).toMatchObject({
      changes: true,
      replaces: [],
    });
    await expect(buckets.update(seen, renamed)).rejects.toThrow("The bucket has objects.");
    await empty();
    scenario.nextRun();
    const again = await buckets.read(seen);
    expect(buckets.diff(again?.state ?? {}, renamed)).toMatchObject({ replaces: ["name"] });
  });
});

describe("a bucket that existed before", () => {
  const found = { public: true, file_size_limit: 5, allowed_mime_types: ["image/png"] };
  beforeEach(async () => {
    await query(
      "insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values ('avatars', 'avatars', true, 5, '{image/png}')",
    );
  });

  it("is not taken over without a word", async () => {
    await expect(buckets.create(declared({ public: false }))).rejects.toThrow('adoptId: "avatars"');
    expect(await stored()).toEqual([row(found)]);
  });

  it("stays with what it had when the resource that took it over is deleted, but closed", async () => {
    const adopted = await buckets.create(declared({ public: false, fileSizeLimit: 7, adopt: true }));
    expect(await stored()).toEqual([row({ ...found, public: false, file_size_limit: 7 })]);
    scenario.nextRun();
    const read = await buckets.read(adopted);
    if (read === undefined) throw new Error("the bucket is gone");
    // A setting that is taken out returns to what was found.
    const updated = await buckets.update(read, declared({ public: false, allowedMimeTypes: ["text/plain"] }));
    expect(await stored()).toEqual([
      row({ public: false, file_size_limit: 5, allowed_mime_types: ["text/plain"] }),
    ]);
    await upload();
    await buckets.delete(updated);
    expect(await stored()).toEqual([row({ ...found, public: false })]);
    expect(scenario.warnings.join("\n")).toMatch(/stays `false`.*declare `public: true`/s);
    expect(scenario.infos.join("\n")).toContain("existed before Pulumi had it");
  });

  it("knows what it found after a run that died between the write and its record", async () => {
    const inputs = declared({ fileSizeLimit: 7, adopt: true });
    await buckets.create(inputs);
    scenario.nextRun();
    const adopted = await buckets.create(inputs);
    await buckets.delete(adopted);
    expect(await stored()).toEqual([row(found)]);
  });

  it("is not said to stay when somebody deleted it", async () => {
    const adopted = await buckets.create(declared({ public: false, adopt: true }));
    await empty();
    await query(
      "set storage.allow_delete_query = 'true'; delete from storage.buckets; reset storage.allow_delete_query",
    );
    scenario.nextRun();
    await buckets.delete(adopted);
    expect(scenario.infos.join("\n")).not.toContain("existed before Pulumi had it");
  });

  it("keeps on its delete what somebody changed that was not declared", async () => {
    const adopted = await buckets.create(declared({ public: false, adopt: true }));
    await query("update storage.buckets set file_size_limit = 9");
    await buckets.delete(adopted);
    expect(await stored()).toEqual([row({ ...found, public: false, file_size_limit: 9 })]);
  });

  it("is imported with what it has, without a query that may write, and stays on a delete", async () => {
    scenario.emulator.control.clearCalls();
    expect(await listResources(scenario.runtime, storageBucket, { projectRef: ref })).toEqual([
      { id: `${ref}/avatars`, name: "avatars" },
    ]);
    const imported = await importResource(scenario.runtime, storageBucket, `${ref}/avatars`, true);
    expect(imported?.inputs).toEqual(
      declared({ public: true, fileSizeLimit: 5, allowedMimeTypes: ["image/png"] }),
    );
    expect(scenario.calls("runQuery")).toBe(0);
    const target = { id: "avatars", state: imported?.state ?? {} };
    const changed = await buckets.update(target, declared({ public: true, fileSizeLimit: 8 }));
    expect(await stored()).toEqual([row({ ...found, file_size_limit: 8 })]);
    await buckets.delete(changed);
    expect(await stored()).toEqual([row(found)]);
  });
});

/** Of each setting: what was found and what the program set, and a third value that somebody may set since; as SQL and as inputs. */
const SETTINGS = [
  {
    setting: "public",
    column: "public",
    values: [
      { input: true, sql: "true" },
      { input: false, sql: "false" },
    ],
  },
  {
    setting: "fileSizeLimit",
    column: "file_size_limit",
    values: [
      { input: undefined, sql: "null" },
      { input: 10, sql: "10" },
      { input: 20, sql: "20" },
    ],
  },
  {
    setting: "allowedMimeTypes",
    column: "allowed_mime_types",
    values: [
      { input: undefined, sql: "null" },
      { input: ["a/a"], sql: "'{a/a}'" },
      { input: ["b/b", "c/c"], sql: "'{c/c,b/b}'" },
    ],
  },
] as const;
const STEPS = [
  "a delete",
  "a removed line",
  "a refresh and a delete",
  "a refresh and a removed line",
] as const;

/** Every case of a setting, the steps apart: SQL of what was found, the declared input, SQL of what somebody set since. */
const RETURNS = SETTINGS.flatMap(({ setting, column, values }) =>
  values.flatMap((found) =>
    values.flatMap((set) =>
      set.input === undefined
        ? []
        : [undefined, ...values].map((since) => ({
            setting,
            column,
            ...{ found: found.sql, set: set.sql, declares: set.input, since: since?.sql },
          })),
    ),
  ),
);

describe.each(STEPS)("%s of a setting of an adopted bucket", (step) => {
  it("gives back what is still the program's, and opens nothing", async () => {
    const cases = RETURNS.map((each, index) => ({ ...each, name: `bucket-${index}` }));
    const change = (statement: (each: (typeof cases)[number]) => string): Promise<unknown> =>
      query(cases.map(statement).join("; "));
    await change(
      ({ name, column, found }) =>
        `insert into storage.buckets (id, name, ${column}) values ('${name}', '${name}', ${found})`,
    );
    const adopted = await Promise.all(
      cases.map(({ name, setting, declares }) =>
        buckets.create(declared({ name, [setting]: declares, adopt: true })),
      ),
    );
    await change(({ name, column, since }) =>
      since === undefined
        ? "select 1"
        : `update storage.buckets set ${column} = ${since} where id = '${name}'`,
    );
    scenario.nextRun();
    await Promise.all(
      adopted.map(async (made, index) => {
        const bucket = (step.startsWith("a refresh") ? await buckets.read(made) : undefined) ?? made;
        if (step.endsWith("delete")) await buckets.delete(bucket);
        else await buckets.update(bucket, declared({ name: cases[index]?.name, adopt: true }));
      }),
    );
    const outcomes = await query(
      cases
        .map(
          ({ name, column, found, set, since = set }) =>
            `select ${column} is not distinct from ${since} as stays, ${column} is not distinct from ${found} as returns from storage.buckets where id = '${name}'`,
        )
        .join(" union all "),
    );
    const isClosed = ({ column, found, set, since = set }: (typeof cases)[number]): boolean =>
      column === "public" && found === "true" && set === "false" && since === "false";
    const expected = cases.map((each) => {
      const { found, set, since = set } = each;
      const returns = since === found || (since === set && !isClosed(each));
      return { stays: since === found || !returns, returns };
    });
    expect(cases.map((each, index) => ({ ...each, ...outcomes[index] }))).toEqual(
      cases.map((each, index) => ({ ...each, ...expected[index] })),
    );
    expect(scenario.warnings.filter((text) => text.includes("stays `false`"))).toHaveLength(
      cases.filter(isClosed).length,
    );
  });
});

it("does not take what was found of an earlier bucket of the name for that of a new one", async () => {
  await query("insert into storage.buckets (id, name, file_size_limit) values ('avatars', 'avatars', 10)");
  await buckets.create(declared({ fileSizeLimit: 20, adopt: true }));
  await query(
    "set storage.allow_delete_query = 'true'; delete from storage.buckets; reset storage.allow_delete_query",
  );
  await query(
    "insert into storage.buckets (id, name, file_size_limit, created_at) values ('avatars', 'avatars', 30, '2020-01-01')",
  );
  scenario.nextRun();
  const made = await buckets.create(declared({ fileSizeLimit: 20, adopt: true }));
  await buckets.delete(made);
  expect(await stored()).toEqual([row({ file_size_limit: 30 })]);
});

it("says of a removed line in the preview that the bucket stays closed, and of what somebody changed that it stays", async () => {
  await query(
    "insert into storage.buckets (id, name, public, file_size_limit) values ('avatars', 'avatars', true, 10)",
  );
  const made = await buckets.create(declared({ public: false, fileSizeLimit: 20, adopt: true }));
  const removed = declared({ fileSizeLimit: 20, adopt: true });
  diffResource(scenario.runtime, storageBucket, made.id, made.state, buckets.checked(removed), () => false);
  expect(scenario.infos.join("\n")).toContain("public: no longer managed, stays false");
  const closed = await buckets.update(made, removed);
  expect(scenario.warnings).toEqual([expect.stringContaining("`public` of the bucket")]);
  await query("update storage.buckets set file_size_limit = 30");
  scenario.nextRun();
  await buckets.delete(closed);
  expect(scenario.infos.join("\n")).toContain("somebody has changed `fileSizeLimit` of the bucket");
  expect(await stored()).toEqual([row({ file_size_limit: 30 })]);
  expect(scenario.warnings).toHaveLength(1);
});

it("is restored by the state of an earlier version, which has no record of what was written", async () => {
  await query("insert into storage.buckets (id, name, file_size_limit) values ('avatars', 'avatars', 10)");
  const made = await buckets.create(declared({ fileSizeLimit: 20, adopt: true }));
  const { __written: _, ...state } = made.state;
  scenario.nextRun();
  const read = (await buckets.read({ ...made, state })) ?? made;
  expect(read.state["__written"]).toMatchObject({ fileSizeLimit: 20 });
  await buckets.delete({ ...made, state });
  expect(await stored()).toEqual([row({ file_size_limit: 10 })]);
});

describe("a bucket that somebody made anew under the name", () => {
  const remake = () =>
    query(`set storage.allow_delete_query = 'true'; delete from storage.buckets; reset storage.allow_delete_query;
      insert into storage.buckets (id, name, file_size_limit, created_at) values ('avatars', 'avatars', 5, '2020-01-01')`);

  it.each([false, true])(
    "is neither changed, taken over nor deleted; adopted before: %s",
    async (isAdopted) => {
      if (isAdopted) await query("insert into storage.buckets (id, name) values ('avatars', 'avatars')");
      const made = await buckets.create(declared({ fileSizeLimit: 20, ...(isAdopted && { adopt: true }) }));
      await remake();
      scenario.nextRun();
      for (const inputs of [declared({ fileSizeLimit: 99 }), declared()])
        await expect(buckets.update(made, inputs)).rejects.toThrow(
          /is another one than Pulumi had: it was created at 2020-01-01.*Nothing was changed/s,
        );
      await buckets.delete(made);
      scenario.nextRun();
      expect(await buckets.read(made)).toBeUndefined();
      expect(scenario.warnings.join("\n")).toMatch(/another bucket under the name, at 2020-01-01/);
      await expect(buckets.create(declared())).rejects.toThrow('adoptId: "avatars"');
      expect(await stored()).toEqual([row({ file_size_limit: 5 })]);
    },
  );

  it.each(["state", "service"])("is not told apart where the %s has no time", async (which) => {
    const made = await buckets.create(declared({ fileSizeLimit: 20 }));
    if (which === "service") await query("update storage.buckets set created_at = null");
    const { createdAt: _, ...timeless } = made.state;
    const target = { ...made, state: which === "state" ? timeless : made.state };
    scenario.nextRun();
    expect((await buckets.read(target))?.state).toMatchObject({ fileSizeLimit: 20 });
    await buckets.update(target, declared({ fileSizeLimit: 30 })).catch(() => undefined);
    expect(await stored()).toEqual([row({ file_size_limit: 30 })]);
  });
});

it("leaves a bucket that somebody else created under its name", async () => {
  const made = await buckets.create(declared());
  await query(
    "set storage.allow_delete_query = 'true'; delete from storage.buckets; reset storage.allow_delete_query",
  );
  await query(
    "insert into storage.buckets (id, name, created_at) values ('avatars', 'avatars', '2020-01-01')",
  );
  await buckets.delete(made);
  expect(await stored()).toEqual([row()]);
});

it("is shown as gone when it was deleted by hand, and says so to an update", async () => {
  const made = await buckets.create(declared());
  await query(
    "set storage.allow_delete_query = 'true'; delete from storage.buckets; reset storage.allow_delete_query",
  );
  await expect(buckets.update(made, declared({ public: true }))).rejects.toThrow("pulumi up --refresh");
  scenario.nextRun();
  expect(await buckets.read(made)).toBeUndefined();
});

it("shows a changed setting only where one is declared, and types of files in any order", async () => {
  const bare = await buckets.create(declared());
  await query("update storage.buckets set public = true, allowed_mime_types = '{b/b,a/a}'");
  scenario.nextRun();
  expect(buckets.diff((await buckets.read(bare))?.state ?? {}, declared()).changes).toBe(false);
  const typed = declared({ allowedMimeTypes: ["a/a", "b/b"] });
  const updated = await buckets.update(bare, typed);
  await query("update storage.buckets set allowed_mime_types = '{b/b,a/a}'");
  scenario.nextRun();
  expect(buckets.diff((await buckets.read(updated))?.state ?? {}, typed).changes).toBe(false);
  await query("update storage.buckets set allowed_mime_types = '{}'");
  scenario.nextRun();
  const drifted = await buckets.read(updated);
  expect([...buckets.diff(drifted?.state ?? {}, typed).changed]).toEqual(["allowedMimeTypes"]);
});

it.each([
  ["quotes and SQL", 'it\'s $1; drop table storage.buckets cascade; -- "x"'],
  ["blanks and capitals", " My Bucket "],
  ["umlauts", "Größe-ä"],
  ["the longest", "x".repeat(100)],
])("takes %s as text", async (_, name) => {
  const inputs = declared({ name, allowedMimeTypes: ["image/'png\"; \\"], public: true });
  const made = await buckets.create(inputs);
  expect(await query("select id, name, allowed_mime_types from storage.buckets")).toEqual([
    { id: name, name, allowed_mime_types: ["image/'png\"; \\"] },
  ]);
  const imported = await importResource(scenario.runtime, storageBucket, `${ref}/${name}`, true);
  expect(imported?.inputs).toEqual(inputs);
  await buckets.delete(await buckets.update(made, declared({ name, fileSizeLimit: 3 })));
  expect(await stored()).toEqual([]);
});

describe("in a project whose storage lacks columns", () => {
  beforeEach(async () => {
    // What keeps users from changing the table is no part of the storage.
    await query(`set session_replication_role = replica;
      alter table storage.buckets drop column file_size_limit, drop column allowed_mime_types, drop column avif_autodetection,
        drop column type cascade, drop column versioning_status cascade, drop column owner_id;
      reset session_replication_role`);
  });

  it("is made, read, changed and deleted without them, and a declared one is refused by its name", async () => {
    const made = await buckets.create(declared({ public: true }));
    await expect(buckets.create(declared({ name: "other", fileSizeLimit: 1 }))).rejects.toThrow(
      "is older than `fileSizeLimit`",
    );
    await expect(buckets.update(made, declared({ allowedMimeTypes: ["a/b"] }))).rejects.toThrow(
      "is older than `allowedMimeTypes`",
    );
    scenario.nextRun();
    const read = await buckets.read(made);
    expect(read?.state).toMatchObject({ public: true, hasObjects: false });
    await buckets.delete(await buckets.update(made, declared({ public: false })));
    expect(await query("select id from storage.buckets")).toEqual([]);
  });
});

it("neither lists nor takes over a bucket of another type", async () => {
  await query("insert into storage.buckets (id, name, type) values ('avatars', 'avatars', 'ANALYTICS')");
  expect(await listResources(scenario.runtime, storageBucket, { projectRef: ref })).toEqual([]);
  await expect(buckets.create(declared())).rejects.toThrow('bears the name "avatars"');
  await expect(buckets.create(declared({ adoptId: "avatars" }))).rejects.toThrow("No StorageBucket");
});

it("says that a bucket of another identifier has the name", async () => {
  await query("insert into storage.buckets (id, name) values ('other', 'avatars')");
  await expect(buckets.create(declared())).rejects.toThrow('bears the name "avatars"');
});

it("finds the one that it created when the answer is lost, by its time", async () => {
  scenario.proxy.disturb({
    operation: "runQuery",
    appliesTo: ({ body }) => body.includes("insert into storage.buckets"),
    times: 1,
    drop: "after",
  });
  const made = await buckets.create(declared({ public: true }));
  expect(made.id).toBe("avatars");
  expect(await stored()).toEqual([row({ public: true })]);
});

it("creates and reads many with one listing of all", async () => {
  const all = Array.from({ length: 12 }, (_, index) => declared({ name: `bucket-${index}` }));
  const made = await Promise.all(all.map((inputs) => buckets.create(inputs)));
  expect(scenario.calls("runQuery")).toBe(12);
  // And one look whether the project is active, as the listing is empty.
  expect(scenario.calls()).toBe(14);
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  const read = await Promise.all(made.map((each) => buckets.read(each)));
  expect(read.filter((each) => each?.state["hasObjects"] === false)).toHaveLength(12);
  expect(scenario.calls()).toBe(1);
});

it("says what is wrong with its inputs", () => {
  expect(buckets.failures(declared({ name: "two\nlines" }))).toEqual([
    expect.stringContaining("a name on one line"),
  ]);
  expect(buckets.failures(declared({ name: "x".repeat(101) }))).toHaveLength(1);
  expect(buckets.failures(declared({ allowedMimeTypes: [] }))).toHaveLength(1);
  expect(buckets.failures(declared({ fileSizeLimit: 1.5 }))).toHaveLength(1);
});

it.each([[[]], [[{}]], [[{ deleted: null, was_there: true, objects: 0 }]]])(
  "is not taken for deleted where the answer does not say so: %j",
  async (body) => {
    const made = await buckets.create(declared());
    scenario.nextRun();
    scenario.emulator.control.addFault({ operation: "runQuery", status: 201, body, times: 1 });
    await expect(buckets.delete(made)).rejects.toThrow("does not say whether the bucket was deleted");
    expect(await stored()).toEqual([row()]);
    await buckets.delete(made);
    expect(await stored()).toEqual([]);
  },
);
