import { SOMEBODY, type Scenario } from "../kit/scenario";
import { startMachine, type Machine, declaring, messagesOf } from "../kit/machine";
import { postgresConfig } from "../../provider/resources/database/postgres-config/postgres-config";
import { secretSet } from "../../provider/resources/functions/secret-set/secret-set";
import { allowedCidr } from "../../provider/resources/network/allowed-cidr/allowed-cidr";
import { networkRestrictions } from "../../provider/resources/network/network-restrictions/network-restrictions";
import type { AnyResource } from "../../provider/define/resource";
import { createClaim } from "../../provider/ledger/claim";
import { createStepContext } from "../../provider/engine/step/runtime";
import type { Values } from "../../provider/define/values";
import { edgeFunction } from "../../provider/resources/functions/edge-function/edge-function";
import { secret } from "../../provider/resources/functions/secret/secret";
import { isConfiguration, resourceOf, samples, sampleOf } from "../kit/samples";
import { createResource, type SettledResource } from "../../provider/engine/create/create";
import { diffResource } from "../../provider/engine/diff";
import { importResource } from "../../provider/engine/import";
import { apiKey } from "../../provider/resources/auth/api-key/api-key";
import { signingKey } from "../../provider/resources/auth/signing-key/signing-key";
import { project } from "../../provider/resources/projects/project/project";
import type { OperationName } from "../../spec/table";

let scenario: Scenario;
let machine: Machine;
let projectRef: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef } = await startMachine());
});
afterEach(() => machine.close());

describe("a write of another program that takes ours back", () => {
  type Method =
    "patchPostgresConfig" | "createSecrets" | "patchNetworkRestrictions" | "applyNetworkRestrictions";

  /** Another program's write is carried out right after each of the first `times` of this one's. */
  function otherWrites(method: Method, times: number, write: () => void): void {
    const send = scenario.client[method].bind(scenario.client) as (...args: unknown[]) => Promise<unknown>;
    let left = times;
    jest.spyOn(scenario.client, method).mockImplementation((async (...args: unknown[]) => {
      const answer = await send(...args);
      left -= 1;
      if (left >= 0) write();
      return answer;
    }) as never);
  }

  const project = () => scenario.emulator.world.state.projects.get(projectRef);
  const setPostgres = (overrides: Record<string, unknown>): void =>
    scenario.emulator.control.edit(({ projects }) => {
      const record = projects.get(projectRef);
      if (record) Object.assign(record, { postgresOverrides: overrides });
    });

  describe("PostgresConfig", () => {
    const configs = () => scenario.manage(postgresConfig);
    const declared = () => ({ projectRef, workMem: "16MB", maxConnections: 120 });

    it("writes once more what another program took back, and keeps what that set", async () => {
      otherWrites("patchPostgresConfig", 1, () => setPostgres({ statement_timeout: "5s" }));
      const made = await configs().create(declared());
      expect(project()?.postgresOverrides).toEqual({
        statement_timeout: "5s",
        work_mem: "16MB",
        max_connections: 120,
      });
      expect(scenario.calls("patchPostgresConfig")).toBe(2);
      expect(scenario.infos.join()).toContain(
        "the earlier value of `maxConnections`, `workMem`, which another program may have restored: written once more",
      );
      expect(made.state).toMatchObject({
        workMem: "16MB",
        __found: { unset: ["maxConnections", "workMem"] },
      });
    });

    it("does the same of an update", async () => {
      const made = await configs().create(declared());
      otherWrites("patchPostgresConfig", 1, () =>
        setPostgres({ work_mem: "16MB", max_connections: 120, statement_timeout: "5s" }),
      );
      await configs().update(made, { ...declared(), workMem: "32MB" });
      expect(project()?.postgresOverrides).toMatchObject({ work_mem: "32MB", statement_timeout: "5s" });
    });

    it("only warns of another value of the same setting, which would be written in turns otherwise", async () => {
      otherWrites("patchPostgresConfig", 9, () => setPostgres({ work_mem: "8MB", max_connections: 120 }));
      const made = await configs().create(declared());
      expect(scenario.calls("patchPostgresConfig")).toBe(1);
      expect(scenario.warnings.join()).toContain("`workMem` of the PostgresConfig");
      // What is there is in the state, so that the next plan shows it.
      expect(made.state).toMatchObject({ workMem: "8MB", maxConnections: 120 });
    });

    it("gives up after one more write", async () => {
      otherWrites("patchPostgresConfig", 9, () => setPostgres({}));
      await configs().create(declared());
      expect(scenario.calls("patchPostgresConfig")).toBe(2);
      expect(scenario.warnings).toEqual([
        expect.stringMatching(/took `maxConnections`, `workMem` of PostgresConfig .* or somebody else has/),
      ]);
    });

    it("looks no more where nothing was written", async () => {
      const made = await configs().create(declared());
      scenario.nextRun();
      scenario.emulator.control.clearCalls();
      await configs().update(made, { ...declared(), restartDatabase: true });
      expect(scenario.calls()).toBe(0);
    });

    it("lets two programs that run at once both have their settings", async () => {
      const mine = configs().create(declared());
      scenario.nextRun();
      const theirs = configs().create({
        projectRef,
        statementTimeout: "5s",
        __owner: "acme/other/dev/its",
      });
      await Promise.all([mine, theirs]);
      expect(project()?.postgresOverrides).toEqual({
        work_mem: "16MB",
        max_connections: 120,
        statement_timeout: "5s",
      });
    });
  });

  describe("SecretSet", () => {
    const sets = () => scenario.manage(secretSet);
    const declared = () => ({ projectRef, secrets: { HOST: "our-host", TOKEN: "our-token" } });
    const secrets = () => [...(project()?.secrets ?? [])].map(([name, { value }]) => [name, value]);

    it("writes once more what another program removed", async () => {
      otherWrites("createSecrets", 1, () => project()?.secrets.delete("TOKEN"));
      await sets().create(declared());
      expect(Object.fromEntries(secrets())).toMatchObject({ HOST: "our-host", TOKEN: "our-token" });
      expect(scenario.calls("createSecrets")).toBe(2);
    });

    it("only warns of another value of the same name", async () => {
      otherWrites("createSecrets", 9, () =>
        project()?.secrets.set("TOKEN", { value: "their-token", updatedAt: scenario.clock.now() }),
      );
      const made = await sets().create(declared());
      expect(scenario.calls("createSecrets")).toBe(1);
      expect(scenario.warnings.join()).toContain("`TOKEN` of the project");
      expect(scenario.warnings.join()).not.toContain("their-token");
      expect(made.state).toMatchObject({ outOfSync: ["TOKEN"] });
    });
  });

  describe("a list of addresses", () => {
    const setLists = (v4: string[]): void =>
      scenario.emulator.control.edit(({ projects }) => {
        const record = projects.get(projectRef)?.network.restrictions;
        if (record) record.config = { v4, v6: [] };
      });
    const entry = () => ({ projectRef, cidr: "203.0.113.0/24" });

    it("has an entry again that another program's list took out", async () => {
      otherWrites("patchNetworkRestrictions", 1, () => setLists(["192.0.2.0/24"]));
      await scenario.manage(allowedCidr).create(entry());
      expect(project()?.network.restrictions.config.v4).toEqual(["192.0.2.0/24", "203.0.113.0/24"]);
      expect(scenario.warnings).toEqual([]);
    });

    it("is told where the other program takes it out again", async () => {
      otherWrites("patchNetworkRestrictions", 9, () => setLists(["192.0.2.0/24"]));
      await scenario.manage(allowedCidr).create(entry());
      expect(scenario.calls("patchNetworkRestrictions")).toBe(2);
      expect(scenario.warnings.join()).toContain("another program removed it both times");
    });

    it("is told as a whole where another program has set another one", async () => {
      otherWrites("applyNetworkRestrictions", 9, () => setLists(["192.0.2.0/24"]));
      const lists = scenario.manage(networkRestrictions);
      await lists.create({ projectRef, allowedCidrs: ["203.0.113.0/24"] });
      expect(scenario.calls("applyNetworkRestrictions")).toBe(1);
      expect(scenario.warnings.join()).toContain("`allowedCidrs` of the NetworkRestrictions");
    });
  });
});

describe("what others make after the listing and before the create", () => {
  /** What one run sees when it looks for the objects of that name, or at the settings, before it creates. */
  async function look(resource: AnyResource, inputs: Values): Promise<unknown> {
    const ctx = createStepContext(scenario.runtime, resource, "create", inputs);
    return resource.find === undefined
      ? resource.read(ctx, { id: createClaim(resource, inputs).scope, state: inputs })
      : resource.find(ctx, inputs);
  }

  const findable = samples.filter((sample) => resourceOf(sample).find !== undefined);

  /** What a run has asked to write so far, by the names of the operations and the status of the answers. */
  function writes(): string[] {
    const isRead = (operation: string): boolean => /^(get|list|runReadOnlyQuery)/.test(operation);
    return scenario.emulator.control
      .calls()
      .flatMap(({ operation = "", status }) => (isRead(operation) ? [] : [`${operation} ${status}`]));
  }

  describe.each(findable.map((sample) => [sample.type, sample] as const))("a %s", (type, sample) => {
    const resource = resourceOf(sample);
    it("that another program made since the run first looked is neither written nor made twice", async () => {
      sample.prepare?.(scenario, projectRef);
      const inputs: Values = { ...sample.inputs(projectRef), ...sample.secretInputs };
      await look(resource, inputs);
      expect(messagesOf(await machine.up(declaring(type, inputs)))).toEqual([]);
      const theirs = await sample.onService(scenario, projectRef);
      scenario.emulator.control.clearCalls();
      const refusal = await scenario
        .manage(resource)
        .create(inputs)
        .then(
          () => undefined,
          (error: unknown) => String(error),
        );
      // Of what makes no create fail, only an action is done again.
      if (resource.adoption === undefined) expect(refusal).toContain(`The ${type} already exists`);
      if (resource.isAction === true && refusal === undefined) return;
      expect(writes()).toEqual([]);
      expect(await sample.onService(scenario, projectRef)).toEqual(theirs);
    });
  });

  /** What a delete gives back as it was found. */
  const settings = samples.filter((sample) => {
    const resource = resourceOf(sample);
    const isKept = resource.find === undefined && resource.isAction !== true && isConfiguration(sample);
    return isKept && sample.cleanUp === undefined && sample.editOutside !== undefined;
  });

  describe.each(settings.map((sample) => [sample.type, sample] as const))("a %s", (_type, sample) => {
    it("gives back what others set since the run first looked", async () => {
      sample.prepare?.(scenario, projectRef);
      const inputs: Values = { ...sample.inputs(projectRef), ...sample.secretInputs };
      await look(resourceOf(sample), inputs);
      scenario.emulator.control.edit((state) => sample.editOutside?.(state, projectRef));
      const theirs = await sample.onService(scenario, projectRef);
      const own = scenario.manage(resourceOf(sample));
      await own.delete(await own.create(inputs));
      expect(await sample.onService(scenario, projectRef)).toEqual(theirs);
    });
  });

  it("finds a secret that somebody wrote since the run first looked", async () => {
    const secrets = scenario.manage(secret);
    await secrets.create({ projectRef, name: "FIRST", value: "one" });
    scenario.emulator.control.call("createSecrets", {
      ref: projectRef,
      body: [{ name: "SECOND", value: "theirs" }],
    });
    await expect(secrets.create({ projectRef, name: "SECOND", value: "ours" })).rejects.toThrow(
      "The Secret already exists",
    );
    expect(scenario.emulator.world.state.projects.get(projectRef)?.secrets.get("SECOND")?.value).toBe(
      "theirs",
    );
  });

  it("finds a function that somebody deployed since the run first looked", async () => {
    const functions = scenario.manage(edgeFunction);
    const files = { "index.ts": "Deno.serve(() => new Response());" };
    await functions.create({ projectRef, slug: "first", files });
    scenario.emulator.control.call("deployFunction", {
      ref: projectRef,
      slug: "second",
      body: {
        file: [{ name: "index.ts", content: Buffer.from("theirs") }],
        metadata: { entrypoint_path: "index.ts" },
      },
    });
    await expect(functions.create({ projectRef, slug: "second", files })).rejects.toThrow(
      "The EdgeFunction already exists",
    );
  });

  it("asks once more for all that are created at the same time", async () => {
    const secrets = scenario.manage(secret);
    await secrets.create({ projectRef, name: "FIRST", value: "one" });
    scenario.emulator.control.clearCalls();
    const names = Array.from({ length: 20 }, (_, index) => `SECRET_${index}`);
    await Promise.all(names.map((name) => secrets.create({ projectRef, name, value: name })));
    expect(scenario.calls("listSecrets")).toBe(1);
  });
});

describe("what others put in the place of ours", () => {
  const onService = async (type: string): Promise<unknown[]> =>
    sampleOf(type).onService(scenario, projectRef);

  const replaceByHand: Readonly<Record<string, () => void>> = {
    EdgeFunction: () => {
      scenario.emulator.control.call("deleteFunction", { ref: projectRef, function_slug: "hello" });
      scenario.emulator.control.call("deployFunction", {
        ref: projectRef,
        slug: "hello",
        body: {
          file: [{ name: "index.ts", content: Buffer.from("Deno.serve(() => new Response());") }],
          metadata: { entrypoint_path: "index.ts" },
        },
      });
    },
    CustomHostname: () => {
      scenario.emulator.control.call("removeCustomHostname", { ref: projectRef });
      scenario.emulator.control.call("initializeCustomHostname", {
        ref: projectRef,
        body: { custom_hostname: "shop.example.net" },
      });
    },
  };

  describe.each(Object.entries(replaceByHand))(
    "a destroy of a %s in whose place another one is",
    (type, replace) => {
      beforeEach(async () => {
        const sample = sampleOf(type);
        sample.prepare?.(scenario, projectRef);
        await machine.up(declaring(type, sample.inputs(projectRef)));
        replace();
      });

      it("is refused with what is there, and removes nothing", async () => {
        const before = await onService(type);
        const [message] = messagesOf(await machine.destroy());
        expect(message).toContain("because someone has replaced it since");
        expect(message).toContain(`pulumi state delete 'urn:pulumi:dev::shop::management:index:${type}::it'`);
        expect(await onService(type)).toEqual(before);
        expect(before).toHaveLength(1);
      });

      it("removes it once a refresh has taken it into the state", async () => {
        await machine.refresh();
        expect(messagesOf(await machine.destroy())).toEqual([]);
        expect(await onService(type)).toEqual([]);
      });
    },
  );

  it("still succeeds where there is nothing any more", async () => {
    await machine.up(declaring("EdgeFunction", sampleOf("EdgeFunction").inputs(projectRef)));
    scenario.emulator.control.call("deleteFunction", { ref: projectRef, function_slug: "hello" });
    expect(messagesOf(await machine.destroy())).toEqual([]);
  });
});

describe("two accounts behind one base URL", () => {
  const shop = sampleOf("Project").inputs("");

  /** The next run of the same program, with another access token. */
  async function createWithAnotherAccount(resource: AnyResource, inputs: Values): Promise<SettledResource> {
    scenario.nextRun("another");
    return createResource(scenario.runtime, resource, scenario.manage(resource).checked(inputs));
  }

  const idsOnService = (): string[] =>
    [...scenario.emulator.world.state.projects.values()].flatMap(({ ref, apiKeys, signingKeys }) => [
      ref,
      ...apiKeys.keys(),
      ...signingKeys.keys(),
    ]);

  it.each<[string, AnyResource, () => Values]>([
    ["a project", project, () => ({ ...shop, allowDuplicateName: true })],
    ["an API key", apiKey, () => ({ projectRef, type: "secret", name: "backend" })],
    ["a signing key in use", signingKey, () => ({ projectRef, algorithm: "ES256", status: "in_use" })],
  ])("names %s of the first account, with the line that takes it over", async (_what, resource, inputs) => {
    const first = await scenario.manage(resource).create(inputs());
    const there = idsOnService();
    await expect(createWithAnotherAccount(resource, inputs())).rejects.toThrow(
      new RegExp(`another access token.*\`adoptId: "${first.id}"\``, "s"),
    );
    expect(idsOnService()).toEqual(there);

    const taken = await createWithAnotherAccount(resource, { ...inputs(), adoptId: first.id });
    expect(taken.id).toBe(first.id);
    expect(idsOnService()).toEqual(there);
  });

  it.each<[string, AnyResource, () => Values, () => Values]>([
    ["a project", project, () => shop, () => ({ ...shop, name: "another" })],
    [
      "an API key",
      apiKey,
      () => ({ projectRef, type: "secret", name: "backend" }),
      () => ({ projectRef, type: "secret", name: "another" }),
    ],
  ])(
    "leaves %s of the first account where the resource is renamed and another name declared, as the message says",
    async (_what, resource, inputs, renamed) => {
      const first = await scenario.manage(resource).create(inputs());
      await expect(createWithAnotherAccount(resource, inputs())).rejects.toThrow(
        "If it belongs to someone else, rename this resource in the program and declare another name",
      );
      const second = await createWithAnotherAccount(resource, { ...renamed(), __owner: SOMEBODY });
      expect(second.id).not.toBe(first.id);
      expect(idsOnService()).toEqual(expect.arrayContaining([first.id, second.id]));
    },
  );

  it.each<[string, AnyResource, () => Values, (first: SettledResource) => unknown]>([
    [
      "an API key",
      apiKey,
      () => ({ projectRef, type: "secret", name: "backend" }),
      ({ id }) => scenario.emulator.control.call("deleteApiKey", { ref: projectRef, id }),
    ],
    [
      "a signing key in standby",
      signingKey,
      () => ({ projectRef, algorithm: "ES256" }),
      async (first) => {
        scenario.nextRun();
        await scenario.manage(signingKey).delete(first);
      },
    ],
  ])(
    "makes its own of %s once the first account has removed it, as the message says",
    async (_what, resource, inputs, remove) => {
      const first = await scenario.manage(resource).create(inputs());
      await expect(createWithAnotherAccount(resource, inputs())).rejects.toThrow(
        `have them remove that ${resource.type} first`,
      );
      const there = idsOnService();
      await remove(first);
      const second = await createWithAnotherAccount(resource, inputs());
      expect(idsOnService().sort()).toEqual([...there.filter((id) => id !== first.id), second.id].sort());
    },
  );

  it("makes a project of its own in another organization", async () => {
    const first = await scenario.manage(project).create(shop);
    const second = await createWithAnotherAccount(project, { ...shop, organizationSlug: "hobby" });
    expect(second.id).not.toBe(first.id);
    const organizationOf = (ref: string): string | undefined =>
      scenario.emulator.world.state.projects.get(ref)?.organizationSlug;
    expect([organizationOf(first.id), organizationOf(second.id)]).toEqual(["acme", "hobby"]);
  });

  it("makes an API key of its own in another project", async () => {
    const elsewhere = scenario.healthyProject("elsewhere");
    const inputs = { type: "secret", name: "backend" };
    const first = await scenario.manage(apiKey).create({ projectRef, ...inputs });
    const second = await createWithAnotherAccount(apiKey, { projectRef: elsewhere, ...inputs });
    const keysOf = (ref: string): (string | null)[] =>
      [...(scenario.emulator.world.state.projects.get(ref)?.apiKeys.values() ?? [])]
        .filter(({ name }) => name === "backend")
        .map(({ id }) => id);
    expect([keysOf(projectRef), keysOf(elsewhere)]).toEqual([[first.id], [second.id]]);
  });

  it("makes its own where what the first account made is gone", async () => {
    const first = await scenario.manage(apiKey).create({ projectRef, type: "secret", name: "backend" });
    scenario.emulator.control.call("deleteApiKey", { ref: projectRef, id: first.id });
    const second = await createWithAnotherAccount(apiKey, { projectRef, type: "secret", name: "backend" });
    expect(idsOnService()).toContain(second.id);
  });

  it.each<[string, AnyResource, OperationName, OperationName, Values, Values]>([
    [
      "a signing key in use",
      signingKey,
      "createSigningKey",
      "listSigningKeys",
      { algorithm: "ES256", status: "in_use" },
      {},
    ],
    [
      "an API key of a made-up name",
      apiKey,
      "createApiKey",
      "listApiKeys",
      { type: "secret", name: "made_up_first" },
      { name: "made_up_second" },
    ],
  ])(
    "names %s that the first account made without ever knowing",
    async (_what, resource, create, list, inputs, renamed) => {
      const { control } = scenario.emulator;
      control.addFault({ operation: create, status: 502, after: true });
      control.addFault({ operation: list, status: 503, skip: 1, times: 1_000 });
      const before = idsOnService();
      await expect(scenario.manage(resource).create({ projectRef, ...inputs })).rejects.toThrow();
      control.clearFaults();
      const there = idsOnService();
      const [made = ""] = there.filter((id) => !before.includes(id));
      await expect(createWithAnotherAccount(resource, { projectRef, ...inputs, ...renamed })).rejects.toThrow(
        `\`adoptId: "${made}"\``,
      );
      expect(idsOnService()).toEqual(there);
    },
  );
});

describe.each(["Project", "ApiKey", "Secret"])(
  "a %s that one program made and another one imported",
  (type) => {
    const resource = resourceOf(sampleOf(type));
    const inputs = (): Values => sampleOf(type).inputs(projectRef);
    const shown = async (): Promise<number> => (await sampleOf(type).onService(scenario, projectRef)).length;
    /** The next `pulumi up` of the other program, which declares what it has imported. */
    const declareByOther = async (id: string, other = SOMEBODY): Promise<void> => {
      scenario.nextRun();
      const importId = resource.importId.format.includes("/") ? `${projectRef}/${id}` : id;
      const imported = await importResource(scenario.runtime, resource, importId, true);
      if (imported === undefined) throw new Error("there is nothing to import");
      const owner = { __owner: other };
      scenario.nextRun();
      const { state, inputs: declared } = imported;
      diffResource(scenario.runtime, resource, id, { ...state, ...owner }, { ...declared, ...owner });
      scenario.nextRun();
    };
    /** A `pulumi up` without a change of the program that made it. */
    const declareByMaker = ({ id, state }: SettledResource): void => {
      const owner = { __owner: `acme/shop/dev/${type}` };
      diffResource(scenario.runtime, resource, id, { ...state, ...owner }, { ...inputs(), ...owner });
      scenario.nextRun();
    };
    const deleteByMaker = ({ id, state }: SettledResource): Promise<void> =>
      scenario.manage(resource).delete({ id, state: { ...state, deletionProtection: false } });

    it("is left to that one when the first program deletes it", async () => {
      const made = await scenario.manage(resource).create(inputs());
      const before = await shown();
      await declareByOther(made.id);
      await deleteByMaker(made);
      expect(await shown()).toBe(before);
      expect(scenario.warnings.at(-1)).toContain("it was not deleted");
    });

    it("is left to that one also after the first program has declared it again", async () => {
      const made = await scenario.manage(resource).create(inputs());
      const before = await shown();
      await declareByOther(made.id);
      declareByMaker(made);
      await deleteByMaker(made);
      expect(await shown()).toBe(before);
      expect(scenario.warnings.at(-1)).toContain("it was not deleted");
    });

    it("is deleted by the first program where the later record is its own stack's", async () => {
      const made = await scenario.manage(resource).create(inputs());
      const before = await shown();
      await declareByOther(made.id, `acme/shop/dev/${type}-renamed`);
      declareByMaker(made);
      await deleteByMaker(made);
      expect(await shown()).toBeLessThan(before);
    });
  },
);
