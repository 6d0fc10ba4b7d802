import { createHmac } from "node:crypto";
import { z } from "zod";
import { ApiError } from "../../../provider/client";
import type { SettingValues } from "../../../provider/settings/mapping/original-values";
import { defineSettings } from "../../../provider/settings/settings";
import { asSet, grouped, hashedBy, secret, writeOnly } from "../../../provider/define/markers";
import { bareContext } from "../../kit/bare-context";

const REF = "abcdefghijklmnopqrst";

const hmac = (value: string, ref: string): string => createHmac("sha256", ref).update(value).digest("hex");

const settings = {
  /** Nested, with a map and an exception of names in it. */
  features: grouped(
    z.strictObject({
      imageTransformation: grouped(z.strictObject({ isEnabled: z.boolean().optional() })).optional(),
      headers: z.record(z.string(), z.string()).optional(),
    }),
  ).optional(),
  allowedOrigins: asSet(z.array(z.string())).optional(),
  mode: z
    .discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("fixed"), poolSize: z.int() }),
      z.strictObject({ kind: z.literal("scaled"), maxSize: z.int() }),
    ])
    .optional(),
  smtpPass: hashedBy(secret(z.string()), hmac).optional(),
  hookSecret: secret(z.string()).optional(),
  masterKey: writeOnly(secret(z.string())).optional(),
  webAuthn: z.boolean().optional(),
};

const body = z.object({
  features: z.unknown().optional(),
  allowed_origins: z.unknown().optional(),
  mode: z.unknown().optional(),
  smtp_pass: z.string().nullish(),
  hook_secret: z.string().nullish(),
  master_key: z.string().nullish(),
  WEBAUTHN: z.boolean().nullish(),
  apply_now: z.boolean().optional(),
});

/** A service that merges what it is sent, hashes the password and never shows the key. */
function service(initially: SettingValues) {
  const writes: SettingValues[] = [];
  let values: Record<string, unknown> = { ...initially };
  let refusal: ApiError | undefined;
  const shown = (): SettingValues => {
    const { master_key: hidden, smtp_pass: password, ...rest } = values;
    expect(hidden === null || hidden === undefined || typeof hidden === "string").toBe(true);
    return { ...rest, smtp_pass: typeof password === "string" ? hmac(password, REF) : null };
  };
  const resource = defineSettings({
    type: "Auth",
    description: "",
    settings,
    options: {},
    outputs: {},
    wireNames: { webAuthn: "WEBAUTHN" },
    body,
    timeouts: { create: 60, update: 60, delete: 60 },
    mode: "merge",
    showsOnlySet: true,
    services: [],
    get: () => Promise.resolve(shown()),
    put: (_ctx, _ref, sent) => {
      if (refusal !== undefined) return Promise.reject(refusal);
      writes.push(sent);
      values = { ...values, ...sent };
      return Promise.resolve(shown());
    },
  });
  const kept: SettingValues[] = [];
  const ctx = bareContext((_id, outputs) => void kept.push(outputs));
  return {
    resource,
    ctx,
    writes,
    kept,
    values: () => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)),
    refuse: (serviceMessage: string) => {
      const message = `put failed: ${serviceMessage}`;
      refusal = new ApiError({ status: 400, operation: "put", serviceMessage, message });
    },
    edit: (edited: SettingValues) => {
      values = { ...values, ...edited };
    },
  };
}

describe("settings with objects in them", () => {
  const there = {
    features: { image_transformation: { is_enabled: false, newer_option: 3 }, iceberg: { on: true } },
  };
  const declared = { projectRef: REF, features: { imageTransformation: { isEnabled: true } } };

  it("are sent by the wire's names, with what is not declared within them as it was", async () => {
    const { resource, ctx, writes } = service(there);
    await resource.create(ctx, declared);
    expect(writes).toEqual([
      { features: { image_transformation: { is_enabled: true, newer_option: 3 }, iceberg: { on: true } } },
    ]);
  });

  it("are restored whole", async () => {
    const { resource, ctx, values } = service(there);
    const made = await resource.create(ctx, declared);
    await resource.delete(ctx, { id: REF, state: { ...declared, ...made.outputs } });
    expect(values()).toEqual(there);
  });

  it("are managed field by field: what others changed beside them stays after a delete", async () => {
    const { resource, ctx, values, edit } = service(there);
    const made = await resource.create(ctx, declared);
    expect(made.outputs).toEqual({
      __found: { values: { "features.imageTransformation.isEnabled": false }, unset: [] },
      __foundSecrets: {},
    });
    const theirs = { image_transformation: { is_enabled: true, newer_option: 4 }, iceberg: { on: false } };
    edit({ features: theirs });
    await resource.delete(ctx, { id: REF, state: { ...declared, ...made.outputs } });
    expect(values()).toEqual({
      features: { ...theirs, image_transformation: { is_enabled: false, newer_option: 4 } },
    });
  });

  it("are read as far as they are managed, and all of them where none is", async () => {
    const { resource, ctx } = service({
      features: { image_transformation: { is_enabled: true }, headers: { a: "b" } },
    });
    const all = { imageTransformation: { isEnabled: true }, headers: { a: "b" } };
    const seenWith = async (state: object) => (await resource.read(ctx, { id: REF, state }))?.inputs.features;
    expect(await seenWith({})).toEqual(all);
    expect(await seenWith({ features: { headers: { a: "c" } } })).toEqual({ headers: { a: "b" } });
    // One that was reset outside is missing in the state, but known to have been managed.
    const found = { __found: { values: {}, unset: ["features.headers"] } };
    expect(await seenWith({ features: { imageTransformation: { isEnabled: false } }, ...found })).toEqual(
      all,
    );
  });

  it("take settings that this version does not have within them, and restore them", async () => {
    const { resource, ctx, writes, values } = service(there);
    const extraSettings = { features: { iceberg: { on: false }, purge: 3 } };
    const inputs = { projectRef: REF, extraSettings };
    const made = await resource.create(ctx, inputs);
    expect(writes).toEqual([
      {
        features: {
          image_transformation: { is_enabled: false, newer_option: 3 },
          iceberg: { on: false },
          purge: 3,
        },
      },
    ]);
    const state = { ...inputs, ...made.outputs };
    ctx.shared.forgetAll();
    expect((await resource.read(ctx, { id: REF, state }))?.inputs.extraSettings).toEqual(extraSettings);
    await resource.delete(ctx, { id: REF, state });
    expect(values()).toEqual({ features: { ...there.features, purge: null } });
  });

  it("are refused among those that this version does not have, by their whole path", () => {
    const { resource } = service({});
    const extra = { features: { image_transformation: { is_enabled: true }, purge: 3 } };
    const checked = resource.check?.({ projectRef: REF, extraSettings: extra }, () => false);
    expect(checked?.failures).toEqual([
      {
        path: "extraSettings.features.image_transformation.is_enabled",
        reason: "declare `features.imageTransformation.isEnabled` instead, which this version supports",
      },
    ]);
  });

  it("go on under their own name when a later version has them, with what was found of them", async () => {
    const { resource, ctx, values } = service(there);
    const updated = await resource.update?.(ctx, {
      id: REF,
      state: {
        projectRef: REF,
        extraSettings: { features: { image_transformation: { is_enabled: false } } },
        __found: {
          values: { "extraSettings.features.image_transformation": { is_enabled: true } },
          unset: [],
        },
      },
      inputs: { projectRef: REF, features: { imageTransformation: { isEnabled: false } } },
      changed: new Set(["extraSettings", "features"] as const),
    });
    expect(updated?.outputs).toMatchObject({
      __found: { values: { "features.imageTransformation.isEnabled": true } },
    });
    expect(values()).toEqual(there);
  });

  it("stand in the state of a later version where it has them, without what was all of an object", () => {
    const { resource } = service({});
    const extra = (image: object, others: object) => ({
      extraSettings: { features: { image_transformation: image, ...others } },
    });
    const features = { imageTransformation: { isEnabled: true } };
    expect(resource.upgrade?.(extra({ is_enabled: true }, {}))).toEqual({ features });
    expect(resource.upgrade?.(extra({ is_enabled: true, newer: 1 }, { purge: 3 }))).toEqual({
      ...extra({ newer: 1 }, { purge: 3 }),
      features,
    });
  });

  it.each([
    ["body.features.image_transformation.is_enabled: no", "`features.imageTransformation.isEnabled`"],
    ["features.image_transformation takes no more", "`features.imageTransformation`"],
    ["features.purge is unknown", "`features.purge`"],
  ])("are named by their path in the program in %j", async (message, path) => {
    const { resource, ctx, refuse } = service(there);
    refuse(message);
    await expect(resource.create(ctx, declared)).rejects.toThrow(`the service rejected ${path}.`);
  });

  it("leave a message as it is that has their names as words", async () => {
    const { resource, ctx, refuse } = service(there);
    refuse("No such features in the plan");
    await expect(resource.create(ctx, declared)).rejects.toThrow(/^put failed: No such features/);
  });

  it("are read back as a program declares them, maps with the keys that they have", async () => {
    const { resource, ctx } = service({ features: { headers: { "X-My_Header": "a" }, newer: 1 } });
    const seen = await resource.read(ctx, { id: REF, state: {} });
    expect(seen?.inputs.features).toEqual({ headers: { "X-My_Header": "a" } });
  });
});

it("sends the option of a union that is declared, and reads the one that is there", async () => {
  const { resource, ctx, writes } = service({ mode: { kind: "scaled", max_size: 9 } });
  expect((await resource.read(ctx, { id: REF, state: {} }))?.inputs.mode).toEqual({
    kind: "scaled",
    maxSize: 9,
  });
  await resource.create(ctx, { projectRef: REF, mode: { kind: "scaled", maxSize: 4 } });
  expect(writes).toEqual([{ mode: { kind: "scaled", max_size: 4 } }]);
});

it("writes nothing where a set has the same elements in another order", async () => {
  const { resource, ctx, writes } = service({ allowed_origins: ["b", "a"] });
  await resource.create(ctx, { projectRef: REF, allowedOrigins: ["a", "b"] });
  expect(writes).toEqual([]);
});

it("uses the name that the API has where it does not follow from the setting's", async () => {
  const { resource, ctx, writes } = service({});
  await resource.create(ctx, { projectRef: REF, webAuthn: true });
  expect(writes).toEqual([{ WEBAUTHN: true }]);
});

describe("a setting whose value comes back as a hash", () => {
  const declared = { projectRef: REF, smtpPass: "first" };

  it("shows neither a difference nor a write while it is the declared one, and drift when it is another", async () => {
    const { resource, ctx, writes, edit } = service({});
    await resource.create(ctx, declared);
    expect(writes).toEqual([{ smtp_pass: "first" }]);
    expect((await resource.read(ctx, { id: REF, state: declared }))?.inputs.smtpPass).toBe("first");
    edit({ smtp_pass: "by hand" });
    ctx.shared.forgetAll();
    expect((await resource.read(ctx, { id: REF, state: declared }))?.inputs.smtpPass).toBe(
      hmac("by hand", REF),
    );
  });

  it("is not imported, as nobody knows it", async () => {
    const { resource, ctx } = service({ smtp_pass: "theirs" });
    expect((await resource.read(ctx, { id: REF, state: {} }))?.inputs).not.toHaveProperty(
      "smtpPass",
      expect.anything(),
    );
  });

  it("is unset on delete where it was not set before, and stays where what it was cannot be known", async () => {
    const before = service({});
    const made = await before.resource.create(before.ctx, declared);
    await before.resource.delete(before.ctx, { id: REF, state: { ...declared, ...made.outputs } });
    expect(before.values()).toEqual({});
    const other = service({ smtp_pass: "theirs" });
    const taken = await other.resource.create(other.ctx, declared);
    await other.resource.delete(other.ctx, { id: REF, state: { ...declared, ...taken.outputs } });
    expect(other.values()).toEqual({ smtp_pass: "first" });
  });
});

it("restores a secret that was there, and tells it neither the journal nor other resources", async () => {
  const { resource, ctx, kept, values } = service({ hook_secret: "theirs-entirely", web: 1 });
  const declared = { projectRef: REF, hookSecret: "ours-entirely", webAuthn: true };
  const made = await resource.create(ctx, declared);
  const state = { ...declared, ...made.outputs };
  expect(made.outputs).toEqual({
    __found: { values: {}, unset: ["webAuthn"], secrets: ["hookSecret"] },
    __foundSecrets: { hookSecret: "theirs-entirely" },
  });
  expect(JSON.stringify([kept, resource.shares?.(state)])).not.toMatch(/-entirely/);
  expect(resource.shares?.(state)).toMatchObject({ hookSecret: "[secret]", webAuthn: true });
  await resource.delete(ctx, { id: REF, state });
  expect(values()).toEqual({ hook_secret: "theirs-entirely", web: 1 });
});

it("leaves a secret that another resource of the configuration declares", async () => {
  const { resource, ctx, values } = service({});
  const declared = { projectRef: REF, hookSecret: "shared" };
  const made = await resource.create(ctx, declared);
  const state = { ...declared, ...made.outputs };
  const otherOwners = [resource.shares?.(state) ?? {}];
  await resource.delete({ ...ctx, ledger: { ...ctx.ledger, otherOwners } }, { id: REF, state });
  expect(values()).toEqual({ hook_secret: "shared" });
});

it("writes what the service never shows when it changes, and compares it with nothing", async () => {
  const { resource, ctx, writes } = service({});
  const declared = { projectRef: REF, masterKey: "one" };
  const made = await resource.create(ctx, declared);
  expect((await resource.read(ctx, { id: REF, state: declared }))?.inputs).toMatchObject({
    masterKey: undefined,
  });
  await resource.update?.(ctx, {
    id: REF,
    state: { ...declared, ...made.outputs },
    inputs: { projectRef: REF, masterKey: "two" },
    changed: new Set(["masterKey"] as const),
  });
  expect(writes).toEqual([{ master_key: "one" }, { master_key: "two" }]);
});

describe("settings that this version does not have", () => {
  const declared = { projectRef: REF, extraSettings: { passkey_enabled: true, passkey_limit: 3 } };

  it("are sent as they are, shown as the service has them, and restored", async () => {
    const { resource, ctx, writes, values, edit } = service({ passkey_enabled: false });
    const made = await resource.create(ctx, declared);
    expect(writes).toEqual([{ passkey_enabled: true, passkey_limit: 3 }]);
    edit({ passkey_limit: 4 });
    ctx.shared.forgetAll();
    const state = { ...declared, ...made.outputs };
    expect((await resource.read(ctx, { id: REF, state }))?.inputs.extraSettings).toEqual({
      passkey_enabled: true,
      passkey_limit: 4,
    });
    await resource.delete(ctx, { id: REF, state });
    expect(values()).toEqual({ passkey_enabled: false });
  });

  it("are each restored when they are taken out of the program", async () => {
    const { resource, ctx, values } = service({ passkey_enabled: false });
    const made = await resource.create(ctx, declared);
    await resource.update?.(ctx, {
      id: REF,
      state: { ...declared, ...made.outputs },
      inputs: { projectRef: REF, extraSettings: { passkey_limit: 3 } },
      changed: new Set(["extraSettings"] as const),
    });
    expect(values()).toEqual({ passkey_enabled: false, passkey_limit: 3 });
  });

  it("are refused where this version has them by a name of their own, or they are no settings", () => {
    const { resource } = service({});
    const extra = { smtp_pass: "x", apply_now: true, newer: 1 };
    const checked = resource.check?.({ projectRef: REF, extraSettings: extra }, () => false);
    expect(checked?.failures).toEqual([
      { path: "extraSettings.smtp_pass", reason: "declare `smtpPass` instead, which this version supports" },
      { path: "extraSettings.apply_now", reason: "it is not a setting but an instruction for a change" },
    ]);
  });

  it("that a later version has go on under their own name, with what was found of them", async () => {
    const { resource, ctx, values } = service({ WEBAUTHN: true });
    const state = {
      projectRef: REF,
      extraSettings: { WEBAUTHN: true },
      __found: { values: { "extraSettings.WEBAUTHN": false }, unset: [] },
    };
    const updated = await resource.update?.(ctx, {
      id: REF,
      state,
      inputs: { projectRef: REF, webAuthn: true },
      changed: new Set(["extraSettings", "webAuthn"] as const),
    });
    expect(updated?.outputs).toMatchObject({ __found: { values: { webAuthn: false } } });
    expect(values()).toEqual({ WEBAUTHN: true });
  });
});

it("refuses a definition that would replace what the service does not show", () => {
  expect(() =>
    defineSettings({
      type: "Broken",
      description: "",
      settings: { smtpPass: settings.smtpPass },
      options: {},
      outputs: {},
      wireNames: {},
      body,
      timeouts: { create: 60, update: 60, delete: 60 },
      mode: "replace",
      services: [],
      get: () => Promise.resolve({}),
      put: () => Promise.resolve({}),
    }),
  ).toThrow("Broken cannot be replaced as a whole: the service does not return smtpPass.");
});

describe("settings that come into force later", () => {
  /** Answers that the third look finds applied. */
  function slow() {
    let looks = 0;
    const { ctx } = service({});
    const written: SettingValues[] = [];
    const answer = (): SettingValues => ({ enabled: true, newer: 1, applied: looks > 2 });
    const resource = defineSettings({
      type: "Slow",
      description: "",
      settings: { enabled: z.boolean() },
      options: {},
      outputs: { applied: z.boolean().optional() },
      wireNames: {},
      body: z.object({ enabled: z.boolean() }),
      timeouts: { create: 60, update: 60, delete: 60 },
      mode: "replace",
      services: [],
      get: () => {
        looks += 1;
        return Promise.resolve(looks === 1 ? { ...answer(), enabled: false } : answer());
      },
      put: (_ctx, _ref, sent) => {
        written.push(sent);
        return Promise.resolve(answer());
      },
      isInForce: ({ applied }) => applied === true,
    });
    return { resource, ctx, written, looks: () => looks };
  }
  const inputs = { projectRef: REF, enabled: true };

  it("are read until they are, beginning with the answer of the write", async () => {
    const { resource, ctx, looks } = slow();
    const { outputs = {} } = await resource.create(ctx, inputs);
    expect(looks()).toBe(1);
    const settled = await resource.settle(ctx, { id: REF, state: { ...inputs, ...outputs }, inputs });
    expect(settled.outputs).toMatchObject({ applied: true, __found: { values: { enabled: false } } });
    expect(looks()).toBe(3);
  });

  it("are written without the outputs that stand beside them", async () => {
    const { resource, ctx, written } = slow();
    await resource.create(ctx, inputs);
    expect(written).toEqual([{ enabled: true, newer: 1 }]);
  });
});
