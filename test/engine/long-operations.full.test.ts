import { useSourceFolder } from "../lifecycle/functions/source-folder";
import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, startYamlStack } from "./plugin-stack";
import { expectSuccess } from "./stack";

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

const folder = useSourceFolder();

it(
  "a deploy of 45 s is waited for, and a migration of 45 s that a gateway gives up after 30 s is not sent again",
  async () => {
    folder.write({ "1_notes.sql": "create table notes (body text); insert into notes values ('once');" });
    const stack = await startYamlStack({
      resources: {
        app: declare("Project", {
          name: "shop",
          organizationSlug: "acme",
          dbPass: "db-password-of-the-test",
          region: "eu-central-1",
        }),
        schema: declare("MigrationSet", { projectRef: "${app.ref}", directory: folder.path() }),
        hello: declare("EdgeFunction", {
          projectRef: "${app.ref}",
          slug: "hello",
          files: { "index.ts": "Deno.serve(() => new Response());" },
        }),
      },
    });
    try {
      const { emulator, workspace } = stack;
      const { control } = emulator;
      control.addFault({ operation: "deployFunction", takesMs: 45_000 });
      control.addFault({ operation: "runQuery", takesMs: 45_000, gateway: { afterMs: 30_000, status: 524 } });
      const made = await workspace.up();
      expectSuccess(made);
      expect(control.pendingFaults()).toEqual([]);
      expect(made.stdout).toMatch(/deployFunction: waiting for the answer for \d+ s/);
      expect(made.stdout).toContain("1_notes.sql (`create table notes body` and 1 more statement)");
      expect([
        control.countCalls({ operation: "deployFunction" }),
        control.countCalls({ operation: "runQuery" }),
      ]).toEqual([1, 1]);
      const [{ ref } = { ref: "" }] = control.call("listProjects", {});
      expect(await control.call("runQuery", { ref, body: { query: "select body from notes" } })).toEqual([
        { body: "once" },
      ]);
      expect(control.call("listFunctions", { ref })).toMatchObject([{ slug: "hello", version: 1 }]);
    } finally {
      await stack.dispose();
    }
  },
  PROVISIONING_TIMEOUT_MS,
);
