import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, startYamlStack, type YamlProgram, type YamlStack } from "./plugin-stack";
import { expectSuccess } from "./stack";

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

/** What is done to a resource, and the kind of each difference by its path. */
interface Step {
  readonly op: string;
  readonly detailed: Readonly<Record<string, string>>;
}

interface Variant {
  readonly projectName?: string;
  readonly region?: string;
  readonly emailFrom?: string;
  readonly domains?: readonly string[];
  readonly text?: string;
  readonly workMem?: string;
}

function program(variant: Variant): YamlProgram {
  const {
    projectName = "shop",
    region = "eu-central-1",
    emailFrom = "mail",
    domains = ["a.example.com"],
  } = variant;
  const projectRef = "${app.ref}";
  return {
    resources: {
      app: declare("Project", {
        name: projectName,
        organizationSlug: "acme",
        dbPass: "db-password-1",
        region,
        deletionProtection: false,
      }),
      workforce: declare("SsoProvider", {
        projectRef,
        type: "saml",
        metadataUrl: "https://idp.example.com/metadata",
        domains,
        attributeMapping: { keys: { email: { name: emailFrom }, phone: { names: ["tel", "phone"] } } },
      }),
      hello: declare("EdgeFunction", {
        projectRef,
        slug: "hello",
        files: { "index.ts": variant.text ?? "one" },
      }),
      settings: declare("PostgresConfig", {
        projectRef,
        maxConnections: 120,
        workMem: variant.workMem ?? "16MB",
      }),
    },
  };
}

describe("pulumi preview --diff", () => {
  let stack: YamlStack;
  beforeAll(async () => {
    stack = await startYamlStack(program({}));
    expectSuccess(await stack.workspace.up());
  }, PROVISIONING_TIMEOUT_MS);
  afterAll(() => stack.dispose());

  /** The steps of a preview, by resource: what is done, and the paths of what differs. */
  async function preview(variant: Variant): Promise<{ text: string; steps: Record<string, Step> }> {
    stack.rewrite(program(variant));
    const shown = await stack.workspace.preview({ extraArgs: ["--diff"] });
    expectSuccess(shown);
    const steps: Record<string, Step> = {};
    for (const { resourcePreEvent } of shown.events) {
      const step = resourcePreEvent?.metadata;
      if (step === undefined || !step.type.startsWith("management:") || step.op === "same") continue;
      const kinds = new Map(
        Object.entries(step.detailedDiff ?? {}).map(([path, { diffKind }]) => [path, diffKind]),
      );
      steps[step.urn.split("::").at(-1) ?? ""] = { op: step.op, detailed: Object.fromEntries(kinds) };
    }
    return { text: shown.stdout, steps };
  }

  it("names the exact nested property that changes, and says update", async () => {
    const { text, steps } = await preview({
      emailFrom: "e-mail",
      domains: ["a.example.com", "b.example.com"],
    });
    expect(steps).toEqual({
      workforce: {
        op: "update",
        detailed: { "attributeMapping.keys.email.name": "update", "domains[1]": "add" },
      },
    });
    expect(text).toMatch(/name\s*: "mail" => "e-mail"/);
    expect(text).toContain('"b.example.com"');
    expect(text).not.toContain('"tel"');
  });

  it("shows another spelling of the same value as no change", async () => {
    expect((await preview({ workMem: "16384kB", domains: ["A.example.com"] })).steps).toEqual({});
  });

  it("shows a changed file of a function, and nothing of its project", async () => {
    const { steps } = await preview({ text: "two" });
    expect(steps).toMatchObject({
      hello: { op: "update", detailed: { 'files["index.ts"]': "update", sourceHash: "update" } },
    });
  });

  it("says replace, deleting first, for the region of a project whose name stays, and for what belongs to it", async () => {
    const { text, steps } = await preview({ region: "us-east-1" });
    expect(steps["app"]).toMatchObject({ detailed: { region: "update-replace" } });
    expect(text).toMatch(/region\s*: "eu-central-1" => "us-east-1"/);
    expect(text).toMatch(/management:index:Project: \((?:delete-replaced|replace)\)/);
    expect(Object.keys(steps).sort()).toEqual(["app", "hello", "settings", "workforce"]);
  });

  it("keeps the ref of a project that is renamed, so that nothing that belongs to it changes", async () => {
    const { steps } = await preview({ projectName: "store" });
    expect(steps).toEqual({ app: { op: "update", detailed: { name: "update" } } });
  });
});
