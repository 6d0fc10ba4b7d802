import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TTL_SECRET } from "../../previews";
import { previewNamed, REPOSITORY } from "../../tools/engine/preview-repository";
import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, startYamlStack } from "./plugin-stack";
import { everythingShown, expectSuccess, outputOf, PRELUDE, startStack, type Stack } from "./stack";

// The whole life of a preview environment, through both adapters.

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

const DB_PASS = "db-password-of-production";
const SECRET = "value-of-the-payment-token";

const FAULTY = "migrations/20260102120000_orders.sql";
const FILES: Readonly<Record<string, string>> = {
  "migrations/20260101120000_notes.sql": `create table notes (body text);
do $$ begin
  if not exists (select from vault.decrypted_secrets where name = 'payments') then raise 'the vault is empty'; end if;
  if to_regnamespace('svc_functions') is null then raise 'there are no webhooks'; end if;
end $$;
grant select on notes to app;`,
  [FAULTY]: "create table orders ();",
  "setup.sql": "do $$ begin create role app nologin; exception when duplicate_object then null; end $$;",
  "seed.sql": "insert into notes values ('seeded');",
  "functions/hello/index.ts": "export default () => new Response('hello');",
  "functions/tests/hello.test.ts": "",
  "config.toml": "[functions.hello]\nverify_jwt = false\n",
  ".env": "MODE=preview\n",
};

const ARGS = {
  repository: REPOSITORY,
  pullRequest: 7,
  gitBranch: "feature/search",
  migrations: "migrations",
  setup: "setup.sql",
  databaseWebhooks: true,
  seed: "seed.sql",
  functions: "functions",
  functionsConfigFile: "config.toml",
  envFile: ".env",
  auth: { siteUrl: "https://preview.example.com" },
  settings: { workMem: "8MB" },
  ttlHours: 48,
};
const OUTPUTS = [
  "ref",
  "apiUrl",
  "connectionString",
  "pooledConnectionString",
  "sessionConnectionString",
  "secretKey",
  "publishableKey",
  "summary",
];

/** A limit that no resource has by itself. */
const TIMEOUT_SECONDS = 5_700;

const typescript = `${PRELUDE}
const config = new pulumi.Config();
const preview = new management.PreviewEnvironment("preview", {
  ...${JSON.stringify(ARGS)},
  parentProjectRef: config.require("parent"),
  timeouts: { create: ${TIMEOUT_SECONDS} },
  secrets: { PAYMENT_TOKEN: config.requireSecret("token") },
  vaultSecrets: { payments: config.requireSecret("token") },
});
for (const name of ${JSON.stringify(OUTPUTS)}) exports[name] = preview[name];
`;

const yaml = {
  config: { parent: { type: "string" }, token: { type: "string", secret: true } },
  resources: {
    preview: declare("PreviewEnvironment", {
      ...ARGS,
      parentProjectRef: "${parent}",
      secrets: { PAYMENT_TOKEN: "${token}" },
      vaultSecrets: { payments: "${token}" },
    }),
  },
  outputs: Object.fromEntries(OUTPUTS.map((name) => [name, `\${preview.${name}}`])),
};

/** The same with a provider and timeouts of its own, which the component's resources are to have. */
const withProvider = {
  ...yaml,
  resources: {
    own: { type: "pulumi:providers:management", properties: {} },
    preview: {
      ...yaml.resources.preview,
      options: { providers: ["${own}"], customTimeouts: { create: `${TIMEOUT_SECONDS}s` } },
    },
  },
};

const adapters = [
  ["the dynamic classes", () => startStack(typescript)],
  ["the plugin", () => startYamlStack(yaml)],
] as const;

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

interface Started {
  readonly stack: Stack;
  /** Reference of the project that is branched from. */
  readonly parent: string;
  /** All that a preview must leave as it is. */
  readonly production: () => unknown;
  readonly branches: () => readonly string[];
}

async function started(start: () => Promise<Stack>): Promise<Started> {
  const stack = await start();
  const { workspace, projectDir, emulator } = stack;
  writeFiles(projectDir, FILES);
  const { control } = emulator;
  const { ref: parent } = control.call("createProject", {
    body: { name: "shop", organization_slug: "acme", db_pass: DB_PASS, region: "eu-central-1" },
  });
  control.advance(600_000);
  // The branch comes with both: the pull request has deleted the second one.
  const file = [{ name: "index.ts", content: new TextEncoder().encode("export {};") }];
  const body = { metadata: { entrypoint_path: "index.ts" }, file };
  for (const slug of ["hello", "deleted"]) control.call("deployFunction", { ref: parent, slug, body });
  await workspace.config("parent", parent);
  await workspace.config("token", SECRET, { secret: true });
  return {
    stack,
    parent,
    production: () => ({
      project: control.call("getProject", { ref: parent }),
      auth: control.call("getAuthConfig", { ref: parent }),
      settings: control.call("getPostgresConfig", { ref: parent }),
      secrets: control.call("listSecrets", { ref: parent }),
      functions: control.call("listFunctions", { ref: parent }),
    }),
    branches: () =>
      control
        .call("listBranches", { ref: parent })
        .flatMap(({ name, is_default: isDefault }) => (isDefault ? [] : [name])),
  };
}

it.each(adapters)(
  "a preview environment comes up, changes and leaves nothing, with %s",
  async (_adapter, start) => {
    const { stack, parent, production, branches } = await started(start);
    const { emulator, workspace, projectDir } = stack;
    const { control } = emulator;
    try {
      const before = production();
      const planned = await workspace.preview();
      expectSuccess(planned);
      // Nothing is known before the branch is there.
      expect(outputOf(planned)).not.toContain(`"${parent}"`);
      const made = await workspace.up();
      expectSuccess(made);
      expect(branches()).toEqual([previewNamed(parent, 7)]);

      const outputs = await workspace.outputs({ showSecrets: true });
      const ref = String(outputs["ref"]);
      expect(ref).toMatch(/^[a-z]{20}$/);
      expect(ref).not.toBe(parent);
      expect(outputs["apiUrl"]).toContain(ref);
      expect(outputs["connectionString"]).toContain(ref);
      for (const [name, value] of Object.entries(outputs)) {
        expect([name, value]).toEqual([name, expect.any(String)]);
        expect(value).not.toContain(parent);
      }
      const summary = String(outputs["summary"]);
      expect(summary).toContain(`| Branch | \`${previewNamed(parent, 7)}\` (\`${ref}\`) |`);
      expect(summary).toContain("| Latest migration | `20260102120000` |");
      expect(summary).toContain("| Edge functions | `hello` |");
      expect(summary).toContain("| Lasts | at most 48 hours |");
      const secrets = [
        SECRET,
        outputs["connectionString"],
        outputs["pooledConnectionString"],
        outputs["sessionConnectionString"],
        outputs["secretKey"],
      ];
      for (const secret of secrets) {
        expect(summary).not.toContain(secret);
        expect(everythingShown(stack, planned, made)).not.toContain(secret);
      }
      const rows = await control.call("runQuery", { ref, body: { query: "select body from notes" } });
      expect(rows).toEqual([{ body: "seeded" }]);
      const named = control.call("listSecrets", { ref }).map(({ name }) => name);
      expect(named).toEqual(expect.arrayContaining(["MODE", "PAYMENT_TOKEN", TTL_SECRET]));
      expect(control.call("listFunctions", { ref })).toMatchObject([{ slug: "hello", verify_jwt: false }]);
      expect(outputOf(planned)).toContain("`tests` is not a function, because it has no index.ts.");
      expect(control.call("getAuthConfig", { ref })).toMatchObject({ site_url: ARGS.auth.siteUrl });
      expect(control.call("getPostgresConfig", { ref })).toMatchObject({ work_mem: "8MB" });

      control.clearCalls();
      expectSuccess(await workspace.preview({ extraArgs: ["--expect-no-changes"] }));
      expect(control.calls()).toEqual([]);
      writeFiles(projectDir, { "functions/hello/index.ts": "export default () => new Response('again');" });
      const changed = await workspace.up();
      expectSuccess(changed);
      expect(changed.summary).toMatchObject({ create: 0, update: 1, replace: 0, delete: 0 });

      control.clearCalls();
      const destroyed = await workspace.destroy();
      expectSuccess(destroyed);
      expect(branches()).toEqual([]);
      // What is on the branch goes with it.
      const writes = control.calls().filter(({ method }) => method !== "GET");
      expect(writes.map(({ operation }) => operation)).toEqual(["deleteBranch"]);
      expect(production()).toEqual(before);
    } finally {
      await stack.dispose();
    }
  },
);

it.each(adapters)(
  "no output has a value while something on the branch fails, and the next run goes on, with %s",
  async (_adapter, start) => {
    const { stack, parent, branches } = await started(start);
    const { workspace, projectDir } = stack;
    try {
      writeFiles(projectDir, { [FAULTY]: "create tabel orders ();" });
      const failed = await workspace.up();
      expect(failed.exitCode).not.toBe(0);
      expect(outputOf(failed)).toContain('syntax error at or near "tabel"');
      expect(await workspace.outputs()).toEqual({});
      writeFiles(projectDir, { [FAULTY]: FILES[FAULTY] ?? "" });
      const done = await workspace.up();
      expectSuccess(done);
      expect(done.summary).toMatchObject({ create: 2, replace: 0, delete: 0 });
      expect(branches()).toEqual([previewNamed(parent, 7)]);
      expectSuccess(await workspace.destroy());
      expect(branches()).toEqual([]);
    } finally {
      await stack.dispose();
    }
  },
);

it.each([adapters[0], ["the plugin and a provider of its own", () => startYamlStack(withProvider)] as const])(
  "takes over what a machine that is gone left of it, and nothing else, with %s",
  async (adapter, start) => {
    const { stack, parent, branches } = await started(start);
    const { emulator, workspace } = stack;
    const { control } = emulator;
    const leave = (gitBranch: string): string => {
      const body = { branch_name: previewNamed(parent, 7), git_branch: gitBranch };
      const { project_ref: ref } = control.call("createBranch", { ref: parent, body });
      control.advance(600_000);
      return ref;
    };
    try {
      const others = leave("feature/other");
      const refused = await workspace.up();
      expect(refused.exitCode).not.toBe(0);
      expect(outputOf(refused)).toContain("is not the preview of pull request 7");
      expect(await workspace.outputs()).toEqual({});
      control.call("deleteBranch", { branch_id_or_ref: others });
      control.advance(600_000);
      const ours = leave(ARGS.gitBranch);
      expectSuccess(await workspace.up());
      expect((await workspace.outputs())["ref"]).toBe(ours);
      const { deployment } = await workspace.exportStack();
      const providers = deployment.resources?.flatMap(({ type, provider }) =>
        type.endsWith(":Branch") || type.endsWith(":FunctionSet") ? [provider] : [],
      );
      const isPlugin = adapter.includes("plugin");
      const expected = isPlugin ? "::own::" : "pulumi-nodejs";
      expect(providers).toEqual([expect.stringContaining(expected), expect.stringContaining(expected)]);
      const timeouts = deployment.resources?.flatMap(({ type, customTimeouts, inputs }) =>
        /(?:^management:index|\/management):(?!Preview)\w+$/.test(type)
          ? [isPlugin ? customTimeouts : inputs?.["timeouts"]]
          : [],
      );
      expect(timeouts?.length).toBeGreaterThan(8);
      for (const each of timeouts ?? []) expect(each).toEqual({ create: TIMEOUT_SECONDS });
      expect(branches()).toEqual([previewNamed(parent, 7)]);
    } finally {
      await stack.dispose();
    }
  },
);
