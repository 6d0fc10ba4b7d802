import type { Page } from "playwright-core";
import type { Emulator } from "../../emulator";

/** What the failed step of the branch `broken` wrote. */
export const FAILURE_LOG = [
  "Applying 20260101000000_orders.sql",
  'ERROR: relation "public.customers" does not exist (SQLSTATE 42P01)',
  "At statement 3: alter table orders add constraint orders_customer foreign key (customer_id) references customers",
].join("\n");

/** Calls and how long the page is told they took: none of them is waited for. */
const DURATIONS_MS: Readonly<Record<string, number>> = {
  getProject: 40,
  listSsoProviders: 3_000,
  getActionRunLogs: 95_000,
};

/** An emulator with much to show: twelve projects, a branch that failed, long paths, faults and slow calls. */
export async function makeBusy({ control, url, accessToken }: Emulator): Promise<void> {
  const refs = Array.from({ length: 12 }, (_, index) => {
    const body = { name: `shop ${index + 1}`, organization_slug: "acme", db_pass: "a-password" };
    return control.call("createProject", { body }).ref;
  });
  const [ref = ""] = refs;
  control.advance(120_000);
  control.edit(({ projects }) => {
    const project = projects.get(ref);
    if (project) project.next.branchFailure = { step: "migrate", log: FAILURE_LOG };
  });
  const branch = control.call("createBranch", { ref, body: { branch_name: "broken" } });
  control.advance(300_000);
  const call = async (method: string, path: string): Promise<void> => {
    const answer = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${accessToken}` },
    });
    await answer.arrayBuffer();
  };
  const [run] = control.call("listActionRuns", { ref: branch.project_ref });
  await call("GET", `/projects/${ref}`);
  await call("GET", `/projects/${ref}/config/auth/sso/providers`);
  await call("GET", `/projects/${branch.project_ref}/actions/${run?.id ?? ""}/logs`);
  await call("GET", `/projects/${ref}/config/auth/sso/providers/${crypto.randomUUID()}`);
  await call("DELETE", `/projects/${ref}/a-path-that-nobody-knows/${"and-that-is-long/".repeat(20)}`);
  control.addFault({ operation: "listOrganizations", status: 502, body: "<html></html>" });
  await call("GET", "/organizations");
}

/** Has the page be told the durations above. */
export async function tellDurations(page: Page): Promise<void> {
  await page.route("**/_control/overview*", async (route) => {
    const answer = await route.fetch();
    const told = (await answer.json()) as { calls: { operation?: string; durationMs: number }[] };
    for (const call of told.calls) call.durationMs = DURATIONS_MS[call.operation ?? ""] ?? call.durationMs;
    await route.fulfill({ response: answer, json: told });
  });
}
