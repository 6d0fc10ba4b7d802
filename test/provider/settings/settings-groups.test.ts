import { z } from "zod";
import { ApiError, ForbiddenError } from "../../../provider/client";
import type { SettingValues } from "../../../provider/settings/mapping/original-values";
import { defineSettings } from "../../../provider/settings/settings";
import { AuthMapping } from "../../../provider/resources/auth/auth-config/mapping";
import { comparedBy, grouped, secret } from "../../../provider/define/markers";
import { diffInputs } from "../../../provider/engine/diff";
import type { Values } from "../../../provider/define/values";
import { composeState } from "../../../provider/engine/step/state";
import { bareContext } from "../../kit/bare-context";

const REF = "abcdefghijklmnopqrst";

const settings = {
  siteUrl: z.string().optional(),
  smtp: grouped(
    z.strictObject({
      host: comparedBy(z.string(), (value) => (value === "" ? undefined : value)).optional(),
      port: z.string().optional(),
      password: secret(z.string()).optional(),
    }),
  ).optional(),
  hooks: grouped(
    z.strictObject({
      sendSms: grouped(z.strictObject({ enabled: z.boolean().optional() })).optional(),
    }),
  ).optional(),
  features: z
    .strictObject({ imageTransformation: z.strictObject({ isEnabled: z.boolean().optional() }).optional() })
    .optional(),
};

const body = z.object({
  site_url: z.string().nullish(),
  smtp_host: z.string().nullish(),
  smtp_port: z.string().nullish(),
  smtp_pass: z.string().nullish(),
  hook_send_sms_enabled: z.boolean().nullish(),
  features: z.unknown().optional(),
});

/** A service that merges what it is sent, and may refuse it. */
function service(initially: SettingValues = {}) {
  const writes: SettingValues[] = [];
  const refusals: Error[] = [];
  let values: Record<string, unknown> = { ...initially };
  const resource = defineSettings(
    {
      type: "Auth",
      description: "",
      settings,
      options: {},
      outputs: {},
      wireNames: { hooks: "hook", "smtp.password": "smtp_pass" },
      body,
      timeouts: { create: 60, update: 60, delete: 60 },
      mode: "merge",
      showsOnlySet: true,
      services: [],
      get: () => Promise.resolve(values),
      put: (_ctx, _ref, sent) => {
        const refusal = refusals[0];
        if (refusal !== undefined) return Promise.reject(refusal);
        writes.push(sent);
        values = { ...values, ...sent };
        return Promise.resolve(values);
      },
    },
    { Mapping: AuthMapping },
  );
  return { resource, ctx: bareContext(), writes, refusals, values: () => values };
}

describe("settings in groups", () => {
  it("are sent one by one, by the group's prefix on the wire", async () => {
    const { resource, ctx, writes } = service();
    const smtp = { host: "mail.example.com", password: "hush" };
    const made = await resource.create(ctx, { projectRef: REF, smtp, hooks: { sendSms: { enabled: true } } });
    expect(writes).toEqual([
      { smtp_host: "mail.example.com", smtp_pass: "hush", hook_send_sms_enabled: true },
    ]);
    expect(made.outputs).toEqual({
      __found: { values: {}, unset: ["hooks.sendSms.enabled", "smtp.host", "smtp.password"] },
      __foundSecrets: {},
    });
  });

  it("are read as far as the program declares them, and all of them for an import", async () => {
    const { resource, ctx } = service({ smtp_host: "mail.example.com", smtp_port: "25" });
    const seen = async (state: Values) => (await resource.read(ctx, { id: REF, state }))?.inputs;
    expect(await seen({ smtp: { port: "587" } })).toMatchObject({ smtp: { port: "25" }, hooks: null });
    expect((await seen({ smtp: { port: "587" } }))?.smtp).not.toHaveProperty("host");
    expect(await seen({})).toMatchObject({ smtp: { host: "mail.example.com", port: "25" } });
    expect(await seen({ hooks: { sendSms: { enabled: true } } })).toMatchObject({ hooks: {} });
  });

  it("show the one that is taken out of the program as a change, with its path", () => {
    const { resource } = service();
    const before = { projectRef: REF, smtp: { host: "mail.example.com", port: "587" } };
    const state = composeState(resource, before, { outputs: { __found: { values: {}, unset: [] } } });
    const after = { projectRef: REF, smtp: { host: "mail.example.com" } };
    expect(diffInputs(resource, state, after).properties).toEqual([
      { path: "smtp.port", kind: "delete", replaces: false },
    ]);
  });

  it("are all emptied with the one that empties them, and all restored", async () => {
    const there = { smtp_host: "old.example.com", smtp_port: "25", smtp_pass: "theirs" };
    const { resource, ctx, writes, values } = service(there);
    const declared = { projectRef: REF, smtp: { host: "" } };
    const made = await resource.create(ctx, declared);
    expect(writes).toEqual([{ smtp_host: "", smtp_port: null, smtp_pass: null }]);
    await resource.delete(ctx, { id: REF, state: { ...declared, ...made.outputs } });
    expect(values()).toEqual(there);
  });

  it("are emptied again where somebody has set one that was emptied", async () => {
    const { resource, ctx, writes, values } = service({ smtp_host: "old.example.com", smtp_port: "25" });
    const declared = { projectRef: REF, smtp: { host: "" } };
    const { outputs = {} } = await resource.create(ctx, declared);
    Object.assign(values(), { smtp_port: "465" });
    ctx.shared.forgetAll();
    const seen = await resource.read(ctx, { id: REF, state: { ...declared, ...outputs } });
    expect(seen?.inputs).toMatchObject({ smtp: { port: "465" } });
    const state = composeState(resource, declared, { outputs });
    const drifted = { ...state, smtp: seen?.inputs.smtp ?? undefined };
    const { properties, changed } = diffInputs(resource, drifted, declared);
    expect(properties).toContainEqual({ path: "smtp.port", kind: "delete", replaces: false });
    await resource.update?.(ctx, {
      id: REF,
      state: drifted,
      inputs: declared,
      changed: new Set([...changed].filter((name) => name === "smtp")),
    });
    expect(writes.at(-1)).toEqual({ smtp_port: null });
    expect(values()).toMatchObject({ smtp_port: null });
  });

  describe("a refusal", () => {
    const refused = (message: string, status = 400): ApiError =>
      new ApiError({
        status,
        operation: "put",
        serviceMessage: message,
        message: `put failed: "${message}"`,
      });

    it.each([
      ["body.smtp_port: is no port", "smtp.port", '"smtp.port: is no port"'],
      [
        "hook_send_sms_enabled needs smtp_pass.",
        "hooks.sendSms.enabled`, `smtp.password",
        "hooks.sendSms.enabled needs",
      ],
      [
        "features.image_transformation.is_enabled is not in the plan",
        "features.imageTransformation.isEnabled",
        "put",
      ],
      ["site_url, which is /config/smtp_host", "siteUrl", "/config/smtp_host"],
    ])("%j names the path in the program", async (message, paths, rest) => {
      const { resource, ctx, refusals } = service();
      refusals.push(refused(message, 422));
      const failure: unknown = await resource
        .create(ctx, { projectRef: REF, siteUrl: "x" })
        .catch((e: unknown) => e);
      expect(failure).toBeInstanceOf(ApiError);
      expect(String(failure)).toContain(`the service rejected \`${paths}\`. Nothing was changed`);
      expect(String(failure)).toContain(rest);
    });

    it("that names no setting stays as it is", async () => {
      const { resource, ctx, refusals } = service();
      const refusal = refused("The plan does not include it: upgrade", 422);
      refusals.push(refusal);
      await expect(resource.create(ctx, { projectRef: REF, siteUrl: "x" })).rejects.toBe(refusal);
    });

    it("for want of a permission names what was to be changed, and the permission", async () => {
      const { resource, ctx, refusals } = service();
      refusals.push(
        new ForbiddenError({ status: 403, operation: "put", serviceMessage: "no", message: "Needs x." }),
      );
      const creating = resource.create(ctx, {
        projectRef: REF,
        siteUrl: "x",
        smtp: { port: "25", host: "h" },
      });
      await expect(creating).rejects.toMatchObject({ status: 403 });
      await expect(creating).rejects.toThrow(
        `Auth of ${REF}: the service refused to change \`siteUrl\`, \`smtp\`. Nothing was changed. Needs x.`,
      );
    });
  });

  it("that another version had among `extraSettings` are in the state by their own path", () => {
    const { resource } = service();
    const state = {
      __declared: ["extraSettings", "projectRef"],
      extraSettings: { smtp_port: "25", newer: 1 },
      projectRef: REF,
    };
    expect(resource.upgrade?.(state)).toEqual({
      __declared: ["extraSettings", "projectRef", "smtp"],
      extraSettings: { newer: 1 },
      smtp: { port: "25" },
      projectRef: REF,
    });
    expect(state.extraSettings).toEqual({ smtp_port: "25", newer: 1 });
  });
});
