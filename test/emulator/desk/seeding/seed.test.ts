import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../../emulator";

const REF = "seededprojectseededp";

const SEED = `
organizations:
  - { slug: acme, plan: team }
  - { slug: hobby, name: Hobby, plan: free }
tokens:
  - token: let-me-in
projects:
  - name: shop
    organization: acme
    ref: ${REF}
    dbPass: a-password
    region: eu-west-1
    secrets: { PAYMENT_TOKEN: of-the-seed }
    apiKeys: [{ name: backend, type: secret }]
    migrations:
      - version: "20260101000000"
        name: orders
        sql: |
          create table public.orders (id int primary key, note text not null default 'none', items jsonb);
          create view public.notes as select note from public.orders;
      - name: totals
        sql: alter table public.orders add total numeric
    rows:
      public.orders:
        - { id: 1, total: 2.5, items: [{ of: 2 }] }
        - { id: 2, note: "it's" }
    branches:
      - name: preview
        gitBranch: feature
        secrets: { PAYMENT_TOKEN: of-the-branch }
      - name: copy
        withData: true
        persistent: true
  - { name: blog, organization: hobby, dbPass: a-password }
`;

describe("a seed file", () => {
  let folder: string;
  const running: Emulator[] = [];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "emulator-seed-"));
  });
  afterEach(() => Promise.all(running.splice(0).map((emulator) => emulator.close())));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function written(text: string): string {
    const file = join(folder, "seed.yaml");
    writeFileSync(file, text);
    return file;
  }
  async function start(text: string, options: EmulatorOptions = {}): Promise<Emulator> {
    const emulator = await startEmulator({ seedFile: written(text), ...options });
    running.push(emulator);
    return emulator;
  }
  const query = ({ control }: Emulator, ref: string, sql: string): Promise<unknown> =>
    control.call("runQuery", { ref, body: { query: sql } });
  const branchRef = ({ control }: Emulator, name: string): string =>
    control.call("getBranch", { ref: REF, name }).project_ref;

  it("makes organizations, tokens, projects, keys, secrets, migrations, rows and branches, settled, and again at a reset", async () => {
    const emulator = await start(SEED);
    expect(emulator.accessToken).toBe("let-me-in");
    const { control } = emulator;
    const expectAll = async (): Promise<void> => {
      const found = control.call("listProjects", {});
      expect(found.map(({ name, status, region }) => [name, status, region])).toEqual([
        ["shop", "ACTIVE_HEALTHY", "eu-west-1"],
        ["blog", "ACTIVE_HEALTHY", expect.any(String)],
      ]);
      expect(control.call("getOrganization", { slug: "acme" }).plan).toBe("team");
      expect(control.call("listSecrets", { ref: REF }).map(({ name }) => name)).toContain("PAYMENT_TOKEN");
      const keys = control.call("listApiKeys", { ref: REF });
      expect(keys.map(({ name, type }) => [name, type])).toContainEqual(["backend", "secret"]);
      const history = await control.call("listMigrations", { ref: REF });
      expect(history[0]).toEqual({ version: "20260101000000", name: "orders" });
      expect(history[1]?.name).toBe("totals");
      const orders = [
        { id: 1, note: "none", items: [{ of: 2 }], total: "2.5" },
        { id: 2, note: "it's", items: null, total: null },
      ];
      expect(await query(emulator, REF, "table public.orders order by id")).toEqual(orders);
      const statuses = control.call("listBranches", { ref: REF }).map(({ name, status }) => [name, status]);
      expect(statuses).toEqual([
        ["main", "FUNCTIONS_DEPLOYED"],
        ["preview", "FUNCTIONS_DEPLOYED"],
        ["copy", "FUNCTIONS_DEPLOYED"],
      ]);
      expect(await query(emulator, branchRef(emulator, "copy"), "table public.orders order by id")).toEqual(
        orders,
      );
      expect(await query(emulator, branchRef(emulator, "preview"), "table public.orders")).toEqual([]);
    };
    await expectAll();
    await query(emulator, REF, "drop table public.orders cascade");
    control.call("deleteProject", { ref: REF });
    control.reset();
    await expectAll();
    expect(control.internalErrors).toEqual([]);
  });

  it("makes settings and functions", async () => {
    const { control } = await start(`
projects:
  - name: shop
    organization: acme
    ref: ${REF}
    dbPass: a-password
    settings:
      auth: { site_url: "https://shop.example.com", external_idp03_enabled: true, external_idp03_client_id: c, external_idp03_secret: s }
      postgres: { max_connections: 80 }
      realtime: { max_concurrent_users: 77 }
      rest: { max_rows: 55 }
      storage: { fileSizeLimit: 1000000 }
    functions:
      - slug: hello
        files: { index.ts: "import './other.ts'", other.ts: "export {}" }
      - { slug: open, files: { main.ts: "Deno.serve()", deno.json: "{}" }, entrypoint: main.ts, importMap: deno.json, verifyJwt: false }
`);
    expect(control.call("getAuthConfig", { ref: REF })).toMatchObject({
      site_url: "https://shop.example.com",
      external_idp03_enabled: true,
      external_idp03_client_id: "c",
    });
    expect(control.call("getPostgresConfig", { ref: REF }).max_connections).toBe(80);
    expect(control.call("getRealtimeConfig", { ref: REF }).max_concurrent_users).toBe(77);
    expect(control.call("getRestLayerConfig", { ref: REF }).max_rows).toBe(55);
    expect(control.call("getStorageConfig", { ref: REF }).fileSizeLimit).toBe(1_000_000);
    expect(control.call("listFunctions", { ref: REF })).toMatchObject([
      { slug: "hello", version: 1, verify_jwt: true, import_map: false, entrypoint_path: "file:///index.ts" },
      { slug: "open", version: 1, verify_jwt: false, import_map: true, entrypoint_path: "file:///main.ts" },
    ]);
    expect(control.call("getProject", { ref: REF }).status).toBe("ACTIVE_HEALTHY");
    expect(control.internalErrors).toEqual([]);
  });

  it("adds what is not there yet to a data folder, and leaves what is", async () => {
    const dataFolder = join(folder, "kept");
    const projects =
      "projects:\n  - { name: shop, organization: acme, dbPass: a-password, ref: " + REF + " }\n";
    const first = await start(projects, { dataFolder });
    first.control.call("createSecrets", { ref: REF, body: [{ name: "LATER", value: "x" }] });
    await running.pop()?.close();
    const again = await start(`${projects}  - { name: third, organization: acme, dbPass: a-password }\n`, {
      dataFolder,
    });
    expect(again.control.call("listProjects", {}).map(({ name }) => name)).toEqual(["shop", "third"]);
    expect(again.control.call("listSecrets", { ref: REF }).map(({ name }) => name)).toContain("LATER");
  });

  it("takes JSON as well", async () => {
    const projects = [{ name: "shop", organization: "acme", dbPass: "a-password" }];
    const { control } = await start(JSON.stringify({ projects }));
    expect(control.call("listProjects", {})).toHaveLength(1);
  });

  it.each([
    ["projects: [", "is neither JSON nor YAML: "],
    ["projects: { name: shop }", "\n  projects: "],
    ["projects: [{ name: shop, organization: acme }]", "\n  projects.0.dbPass: "],
    [
      "projects: [{ name: shop, organisation: acme, organization: acme, dbPass: p }]",
      "\n  projects.0.organisation: Unknown key",
    ],
    ["organizations: [{ slug: acme, plan: gold }]", "\n  organizations.0.plan: "],
    [
      "projects: [{ name: shop, organization: elsewhere, dbPass: p }]",
      'projects.0: The project "shop" in the seed cannot be made: no organization has the slug "elsewhere"; those that exist: "acme", "hobby"',
    ],
    [
      "projects: [{ name: shop, organization: acme, dbPass: p, migrations: [{ name: broken, sql: selec 1 }] }]",
      'projects.0.migrations.0: The migration "broken" of project "shop" in the seed cannot be made: Failed to run sql query: ERROR:  42601',
    ],
    [
      "projects: [{ name: shop, organization: acme, dbPass: p, rows: { missing: [{ id: 1 }] } }]",
      'projects.0.rows.missing: The rows of "missing" of project "shop" in the seed cannot be made: Failed to run sql query: ERROR:  42P01',
    ],
    [
      "projects: [{ name: shop, organization: acme, dbPass: p, apiKeys: [{ name: No, type: secret }] }]",
      'projects.0.apiKeys.0: The API key "No" of project "shop" in the seed cannot be made: ',
    ],
    [
      "projects: [{ name: shop, organization: acme, dbPass: p, migrations: [{ name: own, sql: select 1; commit; select 2 }] }]",
      'projects.0.migrations.0: The migration "own" of project "shop" in the seed cannot be made: it cannot begin or end a transaction',
    ],
    [
      "projects: [{ name: shop, organization: acme, dbPass: p, secrets: { SVC_OWN: x } }]",
      'projects.0.secrets: The secrets of project "shop" in the seed cannot be made: ',
    ],
    [
      "projects: [{ name: shop, organization: acme, dbPass: p, branches: [{ name: a }, { name: a }] }]",
      'projects.0.branches.1: The branch "a" of project "shop" in the seed cannot be made: ',
    ],
    [
      "projects: [{ name: shop, organization: acme, dbPass: p, branches: [{ name: a, secrets: { SVC_OWN: x } }] }]",
      'projects.0.branches.0.secrets: The secrets of branch "a" of project "shop" in the seed cannot be made: ',
    ],
    [
      "projects: [{ name: shop, organization: acme, dbPass: p, branches: [{ name: a, rows: { missing: [{ id: 1 }] } }] }]",
      'projects.0.branches.0.rows.missing: The rows of "missing" of branch "a" of project "shop" in the seed cannot be made: Failed',
    ],
    [
      "projects: [{ name: shop, organization: acme, dbPass: p, settings: { auth: { site_ulr: x } } }]",
      "\n  projects.0.settings.auth.site_ulr: Unknown key",
    ],
    [
      "projects: [{ name: shop, organization: acme, dbPass: p, settings: { auth: { external_idp03_enabled: true } } }]",
      'projects.0.settings.auth: The settings of "auth" of project "shop" in the seed cannot be made: ',
    ],
    [
      "projects: [{ name: shop, organization: acme, dbPass: p, functions: [{ slug: a b, files: { index.ts: x } }] }]",
      'projects.0.functions.0: The function "a b" of project "shop" in the seed cannot be made: ',
    ],
    [
      "projects: [{ name: shop, organization: acme, dbPass: p, functions: [{ slug: a, files: {} }] }]",
      'projects.0.functions.0: The function "a" of project "shop" in the seed cannot be made: ',
    ],
    [
      `projects: [{ name: shop, organization: acme, dbPass: p, ref: ${REF} }, { name: blog, organization: acme, dbPass: p, ref: ${REF} }]`,
      `projects.1: The project "blog" in the seed cannot be made: another one has the ref ${REF}`,
    ],
  ])("refuses %j with where and why", async (text, said) => {
    await expect(start(text)).rejects.toThrow(said);
  });

  it("says that a file is missing", async () => {
    await expect(startEmulator({ seedFile: join(folder, "missing.yaml") })).rejects.toThrow(
      /missing\.yaml cannot be read: ENOENT/,
    );
  });
});
