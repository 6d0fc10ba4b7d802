import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { startScenario, type Scenario } from "../kit/scenario";
import type { Values } from "../../provider/define/values";
import type { AnyResource } from "../../provider/define/resource";
import { apiKey } from "../../provider/resources/auth/api-key/api-key";
import { signingKey } from "../../provider/resources/auth/signing-key/signing-key";
import { ssoProvider } from "../../provider/resources/auth/sso-provider/sso-provider";
import type { OperationName } from "../../spec/table";
import { madeApiKeys } from "./made-api-keys";
import { kinds } from "../histories/object-kinds";
import { resourceOf, sampleOf } from "../kit/samples";
import { project } from "../../provider/resources/projects/project/project";
import { PRIVATE_JWK } from "../../tools/fixtures/auth/signing-key";

let scenario: Scenario;
let projectRef: string;
let endActing = (): void => undefined;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(async () => {
  endActing();
  await scenario.close();
});

const shop = sampleOf("Project").inputs("");
const createShop = (code: "eu-central-1" | "us-east-1"): unknown =>
  scenario.emulator.control.call("createProject", {
    body: {
      name: "shop",
      organization_slug: "acme",
      db_pass: "first-password",
      region_selection: { type: "specific", code },
    },
  });

interface Message {
  readonly request: { readonly method: string; readonly path: string };
}

/**
 * Lets others act at the moment at which the `count`th request of this method to a path with this end leaves: what they do
 * is done before the service sees the request. Returns what ends it.
 */
function whenLeaves(
  method: string,
  pathEnd: string,
  act: () => unknown,
  count = 1,
): { readonly end: () => void } {
  let seen = 0;
  const listener = (message: unknown): void => {
    // Undici tells nothing else on this channel.
    const { request } = message as Message;
    const [path = ""] = request.path.split("?");
    if (request.method !== method || !path.endsWith(pathEnd)) return;
    seen += 1;
    if (seen === count) act();
  };
  subscribe("undici:request:create", listener);
  return { end: () => void unsubscribe("undici:request:create", listener) };
}

describe("a create that is not retried blindly", () => {
  const idsOnService = (): string[] => {
    const project = scenario.emulator.world.state.projects.get(projectRef);
    const keys = [...(project?.signingKeys.values() ?? [])].filter(({ legacy }) => !legacy);
    return [
      ...keys.map(({ id }) => id),
      ...madeApiKeys(project).map(({ id }) => id),
      ...(project?.ssoProviders.keys() ?? []),
    ];
  };

  const cases: [string, OperationName, AnyResource, Values][] = [
    ["an API key", "createApiKey", apiKey, { type: "secret", name: "backend" }],
    ["a standby signing key", "createSigningKey", signingKey, { algorithm: "ES256" }],
    ["a signing key in use", "createSigningKey", signingKey, { algorithm: "ES256", status: "in_use" }],
    [
      "an SSO provider by its entity",
      "createSsoProvider",
      ssoProvider,
      {
        type: "saml",
        metadataXml: '<EntityDescriptor entityID="https://idp.example.com"></EntityDescriptor>',
      },
    ],
  ];

  describe.each(cases)("%s", (_name, operation, resource, fields) => {
    it.each([
      ["a 500", { status: 500, after: true }],
      ["a closed connection", { drop: "after" }],
    ] as const)("that was made in spite of %s is found", async (_fault, fault) => {
      scenario.emulator.control.addFault({ operation, ...fault });
      const made = await scenario.manage(resource).create({ projectRef, ...fields });
      expect(idsOnService()).toEqual([made.id]);
      expect(scenario.calls(operation)).toBe(1);
    });

    it("that was made in spite of an error within its own handler is found by the next run", async () => {
      const failing: AnyResource = {
        ...resource,
        create: async (ctx, inputs) => {
          await resource.create(ctx, inputs);
          throw new TypeError("what the answer lacks is read");
        },
      };
      const inputs = { projectRef, ...fields };
      await expect(scenario.manage(failing).create(inputs)).rejects.toThrow("what the answer lacks");
      scenario.nextRun();
      const made = await scenario.manage(resource).create(inputs);
      expect(idsOnService()).toEqual([made.id]);
      expect(scenario.calls(operation)).toBe(1);
    });

    it("that is refused with a status that nobody documents is looked for, and sent once", async () => {
      scenario.emulator.control.addFault({ operation, status: 418 });
      await expect(scenario.manage(resource).create({ projectRef, ...fields })).rejects.toThrow("418");
      expect(scenario.calls(operation)).toBe(1);
      expect(idsOnService()).toEqual([]);
    });

    it.each([
      ["a 500", { status: 500 }],
      ["a closed connection", { drop: "before" }],
    ] as const)("that was not made because of %s is asked for again", async (_fault, fault) => {
      scenario.emulator.control.addFault({ operation, ...fault });
      const made = await scenario.manage(resource).create({ projectRef, ...fields });
      expect(idsOnService()).toEqual([made.id]);
      expect(scenario.calls(operation)).toBe(2);
    });
  });

  it("tells a new signing key in use from the one before it", async () => {
    const before = scenario.emulator.control.call("createSigningKey", {
      ref: projectRef,
      body: { algorithm: "ES256", status: "in_use" },
    });
    scenario.emulator.control.addFault({ operation: "createSigningKey", drop: "after" });
    const made = await scenario
      .manage(signingKey)
      .create({ projectRef, algorithm: "ES256", status: "in_use" });
    expect(made.id).not.toBe(before.id);
    expect(idsOnService()).toEqual([before.id, made.id]);
  });
});

describe("a refused retry after a first attempt", () => {
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
      land: () => createShop("eu-central-1"),
    })),
  ];

  describe.each(cases)("$type, refused with $refusal", ({ type, create, pathEnd, refusal, ...rest }) => {
    it("that landed only when the second attempt had left is taken as made", async () => {
      const { control } = scenario.emulator;
      const before = idsOf(type);
      control.addFault({ operation: create, drop: "before" });
      if (rest.isInjected) control.addFault({ operation: create, status: refusal });
      endActing = whenLeaves("POST", pathEnd, rest.land, 2).end;

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
});

describe("an object that contradicts what was sent", () => {
  function others(pathEnd: string, act: () => unknown): void {
    endActing = whenLeaves("POST", pathEnd, act).end;
  }

  /** Somebody else makes a project of that name in another region, at the moment at which ours is asked for. */
  function othersMakeShop(): void {
    others("/projects", () => createShop("us-east-1"));
  }

  const regions = (): string[] =>
    [...scenario.emulator.world.state.projects.values()]
      .filter(({ name }) => name === "shop")
      .map(({ region }) => region)
      .sort();

  it("leaves a project of another region to others, and makes its own", async () => {
    othersMakeShop();
    scenario.emulator.control.addFault({ operation: "createProject", drop: "before" });
    const made = await scenario.manage(project).create(shop);
    expect(regions()).toEqual(["eu-central-1", "us-east-1"]);
    expect(scenario.emulator.world.state.projects.get(made.id)?.region).toBe("eu-central-1");
    expect(scenario.calls("createProject")).toBe(2);

    await scenario.manage(project).delete(made);
    scenario.clock.advance(60 * 60_000);
    const left = scenario.emulator.control.call("listProjects", {}).filter(({ name }) => name === "shop");
    expect(left.map(({ region }) => region)).toEqual(["us-east-1"]);
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

  it("leaves a key to others that they made just before, though it is like ours in everything", async () => {
    const declared = { projectRef, algorithm: "ES256", status: "in_use" } as const;
    const body = { algorithm: declared.algorithm, status: declared.status };
    const theirs = scenario.emulator.control.call("createSigningKey", { ref: projectRef, body });
    scenario.emulator.control.addFault({ operation: "createSigningKey", drop: "before" });
    const made = await scenario.manage(signingKey).create(declared);
    expect(made.id).not.toBe(theirs.id);
    expect(scenario.calls("createSigningKey")).toBe(2);
    const keys = scenario.emulator.control.call("listSigningKeys", { ref: projectRef }).keys;
    expect(keys.map(({ id }) => id)).toEqual(expect.arrayContaining([theirs.id, made.id]));
  });

  it("leaves it to others in the next run, too, where ours was never made", async () => {
    const declared = { projectRef, algorithm: "ES256", status: "in_use" } as const;
    const body = { algorithm: declared.algorithm, status: declared.status };
    const theirs = scenario.emulator.control.call("createSigningKey", { ref: projectRef, body });
    const fault = { operation: "createSigningKey", drop: "before", times: 20 } as const;
    scenario.emulator.control.addFault(fault);
    await expect(scenario.manage(signingKey).create(declared)).rejects.toThrow();
    scenario.emulator.control.clearFaults();
    scenario.nextRun();
    const made = await scenario.manage(signingKey).create(declared);
    expect(made.id).not.toBe(theirs.id);
  });

  describe("a signing key that others make at the moment at which ours is to be imported", () => {
    const theirs = { algorithm: "ES256", status: "in_use" } as const;

    it("is left to others, and ours is imported", async () => {
      others("/signing-keys", () => {
        scenario.emulator.control.call("createSigningKey", { ref: projectRef, body: theirs });
      });
      scenario.emulator.control.addFault({ operation: "createSigningKey", drop: "before" });
      const made = await scenario
        .manage(signingKey)
        .create({ projectRef, ...theirs, privateJwk: PRIVATE_JWK });
      const { public_jwk: half } = scenario.emulator.control.call("getSigningKey", {
        ref: projectRef,
        id: made.id,
      });
      expect(half).toMatchObject({ x: PRIVATE_JWK.x });
    });
  });
});
