import { kinds } from "../histories/object-kinds";
import type { OperationName } from "../../spec/table";
import { resourceOf, sampleOf } from "../lifecycle/samples";
import { startScenario, type Scenario } from "../lifecycle/scenario";
import { whenLeaves } from "./when-leaves";

let scenario: Scenario;
let projectRef: string;
let endLanding = (): void => undefined;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(async () => {
  endLanding();
  await scenario.close();
});

const idsOf = (type: string): string[] => kinds[type]?.ids(scenario, projectRef) ?? [];

interface Case {
  readonly type: string;
  readonly create: OperationName;
  readonly pathEnd: string;
  /** What the service refuses the second attempt with. */
  readonly refusal: number;
  /** Whether it must be told to: some creates the service never refuses by itself. */
  readonly isInjected?: true;
  /** The service carries out the first attempt. */
  readonly land: () => unknown;
}

const createShop = (): unknown =>
  scenario.emulator.control.call("createProject", {
    body: {
      name: "shop",
      organization_slug: "acme",
      db_pass: "first-password",
      region_selection: { type: "specific", code: "eu-central-1" },
    },
  });

const cases: readonly Case[] = [
  {
    type: "ApiKey",
    create: "createApiKey",
    pathEnd: "/api-keys",
    refusal: 409,
    land: () =>
      scenario.emulator.control.call("createApiKey", {
        ref: projectRef,
        body: { type: "secret", name: "backend", description: "one" },
      }),
  },
  {
    type: "Branch",
    create: "createBranch",
    pathEnd: "/branches",
    refusal: 409,
    land: () =>
      scenario.emulator.control.call("createBranch", {
        ref: projectRef,
        body: { branch_name: "preview", git_branch: "feature/a" },
      }),
  },
  {
    type: "SigningKey",
    create: "createSigningKey",
    pathEnd: "/signing-keys",
    refusal: 422,
    land: () =>
      scenario.emulator.control.call("createSigningKey", {
        ref: projectRef,
        body: { algorithm: "ES256", status: "standby" },
      }),
  },
  {
    type: "SsoProvider",
    create: "createSsoProvider",
    pathEnd: "/sso/providers",
    refusal: 422,
    land: () =>
      scenario.emulator.control.call("createSsoProvider", {
        ref: projectRef,
        body: { type: "saml", metadata_url: "https://idp.example.com/metadata", domains: ["example.com"] },
      }),
  },
  ...[400, 409].map((refusal) => ({
    type: "Project",
    create: "createProject" as const,
    pathEnd: "/projects",
    refusal,
    isInjected: true as const,
    land: createShop,
  })),
];

describe.each(cases)("$type, refused with $refusal", ({ type, create, pathEnd, refusal, ...rest }) => {
  it("that landed only when the second attempt had left is taken as made", async () => {
    const { control } = scenario.emulator;
    const before = idsOf(type);
    control.addFault({ operation: create, drop: "before" });
    if (rest.isInjected) control.addFault({ operation: create, status: refusal });
    endLanding = whenLeaves("POST", pathEnd, rest.land, 2).end;

    const sample = sampleOf(type);
    const made = await scenario.manage(resourceOf(sample)).create(sample.inputs(projectRef));
    expect(idsOf(type)).toEqual([...before, made.id]);
    expect(control.calls({ operation: create }).map(({ status }) => status)).toContain(refusal);
    expect(scenario.calls(create)).toBe(2);
  });
});

it("a refusal is told as it is when the first attempt has not landed", async () => {
  const { control } = scenario.emulator;
  control.addFault({ operation: "createProject", drop: "before" });
  control.addFault({ operation: "createProject", status: 409, message: "Too many projects" });
  const sample = sampleOf("Project");
  await expect(scenario.manage(resourceOf(sample)).create(sample.inputs(projectRef))).rejects.toThrow(
    "Too many projects",
  );
  expect(idsOf("Project")).toEqual([projectRef]);
});
