import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../../../../emulator/desk/emulator";
import { startEmulator } from "../../../../../emulator/desk/start-emulator";
import { MovableClock } from "../../../../../emulator/service/world/clock";
import { ACME_FILE } from "../../../../spec/names/acme";
import { folders } from "./folders";

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ clock: new MovableClock() });
});
afterAll(() => emulator.close());

async function post(path: string, body: object, served = emulator): Promise<Response> {
  return fetch(served.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${served.accessToken}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

function newProject(served = emulator): string {
  const body = { name: "shop", organization_slug: "acme", db_pass: "a-password" };
  const { ref } = served.control.call("createProject", { body });
  served.control.advance(120_000);
  return ref;
}

/** What goes wrong, in the words of the answer. */
async function faultOf(answer: Promise<Response>): Promise<string | undefined> {
  const response = await answer;
  if (response.ok) return undefined;
  const { message } = (await response.json()) as { message: string };
  return message.replace("Failed to run sql query: ERROR:  ", "");
}

describe.each(folders)("a new project's database: $name", ({ migrations, refused = {}, gives = {} }) => {
  let ref: string;
  beforeAll(() => {
    ref = newProject();
  });

  it("takes a folder of migrations", async () => {
    const faults: Record<string, string> = {};
    for (const [name, query] of Object.entries(migrations)) {
      const fault = await faultOf(post(`/v1/projects/${ref}/database/migrations`, { query, name }));
      if (fault !== undefined) faults[name] = fault;
    }
    expect(faults).toEqual({});
  });

  it("refuses what the service refuses", async () => {
    const answers: Record<string, string> = {};
    for (const [query, beginning] of Object.entries(refused)) {
      const fault = await faultOf(post(`/v1/projects/${ref}/database/query`, { query }));
      answers[query] = fault?.slice(0, beginning.length) ?? "taken";
    }
    expect(answers).toEqual(refused);
  });

  it("has what they asked for", async () => {
    const answers: Record<string, unknown> = {};
    for (const query of Object.keys(gives)) {
      answers[query] = await (await post(`/v1/projects/${ref}/database/query`, { query })).json();
    }
    expect(answers).toEqual(gives);
  });
});

describe("with a names file", () => {
  let named: Emulator;
  beforeAll(async () => {
    named = await startEmulator({ clock: new MovableClock(), names: ACME_FILE });
  });
  afterAll(() => named.close());

  it("what bears the service's word is called as the file says", async () => {
    const ref = newProject(named);
    const query = `
      create table chats (id int primary key);
      alter publication acme_realtime add table chats;
      create extension if not exists acme_vault with schema vault;
      grant select on chats to "acme-admin", acmebouncer;
      create extension pg_net with schema extensions;
      create extension acmecrypt;
      select acmecrypt.create_key() is null`;
    expect(
      await faultOf(post(`/v1/projects/${ref}/database/migrations`, { query, name: "named" }, named)),
    ).toBeUndefined();
    const found = `select (select string_agg(rolname, ' ' order by rolname) from pg_roles where rolname ~* 'acme') as roles,
      (select string_agg(evtname, ' ' order by evtname) from pg_event_trigger where evtname ~ 'rest') as triggers,
      (select count(*) from pg_roles where rolname ~ 'svc') as left_over`;
    const answer = await post(`/v1/projects/${ref}/database/query`, { query: found }, named);
    expect(await answer.json()).toEqual([
      {
        roles:
          "Acme_functions_admin acme-admin acme_auth_admin acme_etl_admin acme_read_only_user acme_realtime_admin acme_replication_admin acme_storage_admin acmebouncer",
        triggers: "acmerest_ddl_watch acmerest_drop_watch",
        left_over: 0,
      },
    ]);
  });

  it("what a user wrote comes back as it was written, in results and in faults", async () => {
    const ref = newProject(named);
    const run = (query: string) => post(`/v1/projects/${ref}/database/query`, { query }, named);
    const rows = await (await run(`select 'vendorC' as "sms_vendorC_key", 'svc' as sms_provider`)).json();
    expect(rows).toEqual([{ sms_vendorC_key: "vendorC", sms_provider: "svc" }]);
    expect(await faultOf(run('select * from "vendorC"'))).toContain('relation "vendorC" does not exist');
    const raise = "do $$ begin raise exception 'rest-layer of vendorC and legacy_pooler'; end $$";
    expect(await faultOf(run(raise))).toContain("rest-layer of vendorC and legacy_pooler");
  });

  it("what only names an extension for the whole server stays as it is", async () => {
    const ref = newProject();
    const query = "select 'create extension pg_cron with schema x' as text";
    const answer = await post(`/v1/projects/${ref}/database/query`, { query });
    expect(await answer.json()).toEqual([{ text: "create extension pg_cron with schema x" }]);
    const created = post(`/v1/projects/${ref}/database/query`, {
      query: "/* it */ create extension pg_cron with schema nowhere; select 'schema nowhere' as text",
    });
    expect(await (await created).json()).toEqual([{ text: "schema nowhere" }]);
  });
});

it("the page on the emulator lists every extension, and no other", async () => {
  const page = readFileSync(join(__dirname, "../../../../../docs/emulator.md"), "utf8");
  const [, table = ""] = /^### Extensions$(.*?)^`create extension/ms.exec(page) ?? [];
  const listed = [...table.matchAll(/^\| (`.*?) +\|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => name),
  );
  const body = { query: "select name from pg_available_extensions where name <> 'plpgsql' order by name" };
  const answer = await post(`/v1/projects/${newProject()}/database/query`, body);
  const offered = ((await answer.json()) as { name: string }[]).map(({ name }) => name);
  expect(listed.toSorted()).toEqual(offered.toSorted());
});
