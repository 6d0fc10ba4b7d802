import type { Values } from "../../provider/lifecycle/state";
import { apiKey } from "../../provider/resources/auth/api-key/api-key";
import { signingKey } from "../../provider/resources/auth/signing-key/signing-key";
import { project } from "../../provider/resources/projects/project/project";
import { PRIVATE_JWK } from "../../tools/fixtures/private-jwk";
import { startScenario, type Scenario } from "../lifecycle/scenario";
import { whenLeaves } from "./when-leaves";

const shop: Values = {
  name: "shop",
  organizationSlug: "acme",
  dbPass: "first-password",
  region: "eu-central-1",
};

let scenario: Scenario;
let endActing = (): void => undefined;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(async () => {
  endActing();
  await scenario.close();
});

function others(pathEnd: string, act: () => void): void {
  endActing = whenLeaves("POST", pathEnd, act).end;
}

/** Somebody else makes a project of that name in another region, at the moment at which ours is asked for. */
function othersMakeShop(): void {
  others("/projects", () => {
    scenario.emulator.control.call("createProject", {
      body: {
        name: "shop",
        organization_slug: "acme",
        db_pass: "their-password",
        region_selection: { type: "specific", code: "us-east-1" },
      },
    });
  });
}

const regions = (): string[] =>
  [...scenario.emulator.world.state.projects.values()].map(({ region }) => region).sort();

it("leaves a project of another region to others, and makes its own", async () => {
  othersMakeShop();
  scenario.emulator.control.addFault({ operation: "createProject", drop: "before" });
  const made = await scenario.manage(project).create(shop);
  expect(regions()).toEqual(["eu-central-1", "us-east-1"]);
  expect(scenario.emulator.world.state.projects.get(made.id)?.region).toBe("eu-central-1");
  expect(scenario.calls("createProject")).toBe(2);

  await scenario.manage(project).delete(made);
  scenario.clock.advance(60 * 60_000);
  expect(scenario.emulator.control.call("listProjects", {}).map(({ region }) => region)).toEqual([
    "us-east-1",
  ]);
});

it("tells the project that it did make from one of another region", async () => {
  othersMakeShop();
  scenario.emulator.control.addFault({ operation: "createProject", status: 502, after: true });
  const made = await scenario.manage(project).create(shop);
  expect(regions()).toEqual(["eu-central-1", "us-east-1"]);
  expect(scenario.emulator.world.state.projects.get(made.id)?.region).toBe("eu-central-1");
  expect(scenario.calls("createProject")).toBe(1);
});

it("leaves an API key of another type to others, and makes its own", async () => {
  const projectRef = scenario.healthyProject();
  others("/api-keys", () => {
    scenario.emulator.control.call("createApiKey", {
      ref: projectRef,
      body: { type: "publishable", name: "backend", description: "theirs" },
    });
  });
  scenario.emulator.control.addFault({ operation: "createApiKey", drop: "before" });
  const keys = (): unknown[] =>
    [...(scenario.emulator.world.state.projects.get(projectRef)?.apiKeys.values() ?? [])]
      .filter(({ name }) => name === "backend")
      .map(({ id, type, description }) => ({ id, type, description }));
  const inputs = { projectRef, type: "secret", name: "backend", description: "ours" };
  const made = await scenario.manage(apiKey).create(inputs);
  expect(keys()).toEqual([
    expect.objectContaining({ type: "publishable", description: "theirs" }),
    { id: made.id, type: "secret", description: "ours" },
  ]);
});

describe("a signing key that others make at the moment at which ours is to be imported", () => {
  const theirs = { algorithm: "ES256", status: "in_use" } as const;

  it("is left to others, and ours is imported", async () => {
    const projectRef = scenario.healthyProject();
    others("/signing-keys", () => {
      scenario.emulator.control.call("createSigningKey", { ref: projectRef, body: theirs });
    });
    scenario.emulator.control.addFault({ operation: "createSigningKey", drop: "before" });
    const made = await scenario.manage(signingKey).create({ projectRef, ...theirs, privateJwk: PRIVATE_JWK });
    const { public_jwk: half } = scenario.emulator.control.call("getSigningKey", {
      ref: projectRef,
      id: made.id,
    });
    expect(half).toMatchObject({ x: PRIVATE_JWK.x });
  });
});
