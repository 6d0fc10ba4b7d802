import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuthConfig } from "../../../emulator/service/world/records/auth";
import { UNKNOWN } from "../../../provider/define/unknown";
import { checkInputs } from "../../../provider/engine/check";
import type { Values } from "../../../provider/define/values";
import { authConfig } from "../../../provider/resources/auth/auth-config/auth-config";
import { createBranchRef } from "../../kit/branch-ref";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let configs: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  configs = scenario.manage(authConfig);
});
afterEach(() => scenario.close());

const declared = (settings: Values): Values => ({ projectRef: ref, ...settings });

/** What is set on the service, in clear. */
function onService(of = ref): Partial<AuthConfig> {
  const config = scenario.emulator.world.state.projects.get(of)?.auth.config ?? {};
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null));
}

function editOutside(config: Partial<AuthConfig>): void {
  scenario.emulator.control.edit(({ projects }) => {
    const project = projects.get(ref);
    if (project) project.auth.config = { ...project.auth.config, ...config };
  });
}

const writes = (): number => scenario.calls("updateAuthConfig");

const smtp = {
  host: "mail.example.com",
  port: 587,
  user: "mailer",
  password: "smtp-password",
  adminEmail: "auth@example.com",
};

it("writes just what is declared, in one call, names what others change, and restores what it found", async () => {
  const inputs = declared({
    jwtExp: 1800,
    smtp,
    mailer: {
      templates: { magicLink: { subject: "Sign in" } },
      notifications: { emailChangedEnabled: true },
    },
    sms: { vendorD: { sender: "Shop" }, vendorC: { verifyAuthToken: "token-of-vendor-c" } },
    external: { idp03: { clientId: "client", secret: "client-secret" } },
  });
  const made = await configs.create(inputs);
  // The emulator keeps what was sent, and nothing else.
  expect(onService()).toEqual({
    jwt_exp: 1800,
    smtp_host: "mail.example.com",
    smtp_port: "587",
    smtp_user: "mailer",
    smtp_pass: "smtp-password",
    smtp_admin_email: "auth@example.com",
    mailer_subjects_magic_link: "Sign in",
    mailer_notifications_email_changed_enabled: true,
    sms_vendorD_from: "Shop",
    sms_vendorC_verify_auth_token: "token-of-vendor-c",
    external_idp03_client_id: "client",
    external_idp03_secret: "client-secret",
  });
  expect(writes()).toBe(1);
  expect(made.state).toMatchObject({ ...inputs, customOauthMaxProviders: 3 });

  scenario.nextRun();
  const read = await configs.read(made);
  expect(read?.inputs).toEqual(inputs);

  scenario.nextRun();
  const next = { ...inputs, smtp: { ...smtp, port: 465 } };
  expect(configs.diff(made.state, next).properties).toMatchObject([{ path: "smtp.port", kind: "update" }]);
  const updated = await configs.update(made, next);
  expect(onService()).toMatchObject({ smtp_port: "465" });

  editOutside({ smtp_port: "25", sms_vendorD_from: null });
  scenario.nextRun();
  const drifted = await configs.read(updated);
  expect(drifted?.inputs["smtp"]).toEqual({ ...smtp, port: 25 });
  expect(configs.diff(drifted?.state ?? {}, next).properties).toEqual([
    { path: "smtp.port", kind: "update", replaces: false },
    { path: "sms.vendorD", kind: "add", replaces: false },
  ]);
  const repaired = await configs.update({ id: ref, state: drifted?.state ?? {} }, next);
  expect(onService()).toMatchObject({ smtp_port: "465", sms_vendorD_from: "Shop" });

  scenario.nextRun();
  await configs.delete(repaired);
  expect(scenario.emulator.control.call("getAuthConfig", { ref })).toMatchObject({
    jwt_exp: 3600,
    smtp_host: null,
    smtp_pass: null,
    mailer_subjects_magic_link: "Your sign-in link",
    external_idp03_secret: null,
  });
});

it("takes the lifetime of sessions in hours, and fractions of them", async () => {
  const sessions = { timebox: 24, inactivityTimeout: 8.5 };
  const made = await configs.create(declared({ sessions }));
  expect(onService()).toMatchObject({ sessions_timebox: 24, sessions_inactivity_timeout: 8.5 });
  scenario.nextRun();
  const read = await configs.read(made);
  expect(configs.diff(read?.state ?? {}, declared({ sessions })).changes).toBe(false);
});

describe("a setting within a group", () => {
  it("is given back what it was, alone, when it is taken out of the program", async () => {
    editOutside({ smtp_port: "2525", smtp_user: "theirs" });
    const made = await configs.create(declared({ smtp: { senderName: "Shop", port: 587 } }));
    const next = declared({ smtp: { senderName: "Shop" } });
    expect(configs.diff(made.state, next).properties).toEqual([
      { path: "smtp.port", kind: "delete", replaces: false },
    ]);
    const updated = await configs.update(made, next);
    expect(onService()).toMatchObject({
      smtp_sender_name: "Shop",
      smtp_port: "2525",
      smtp_user: "theirs",
    });
    expect(updated.state["smtp"]).toEqual({ senderName: "Shop" });
    await configs.delete(updated);
    expect(onService()).toEqual({ smtp_port: "2525", smtp_user: "theirs" });
  });

  it("is left as it was changed elsewhere when another one of the group is updated", async () => {
    const made = await configs.create(declared({ smtp }));
    editOutside({ smtp_host: "theirs.example.com" });
    scenario.nextRun();
    await configs.update(made, declared({ smtp: { ...smtp, port: 465 } }));
    expect(onService()).toMatchObject({ smtp_host: "theirs.example.com", smtp_port: "465" });
  });

  it("is not managed where the program does not declare it", async () => {
    const made = await configs.create(declared({ smtp: { user: "mailer" } }));
    editOutside({ smtp_port: "2525", jwt_exp: 60 });
    scenario.nextRun();
    const read = await configs.read(made);
    expect(read?.inputs).toEqual(declared({ smtp: { user: "mailer" } }));
  });

  it("is not what a resource of another program declares", async () => {
    const [mine, theirs] = await Promise.all([
      configs.create(declared({ smtp: { user: "mailer" } })),
      configs.create(declared({ smtp: { senderName: "Shop" } })),
    ]);
    expect(onService()).toEqual({ smtp_user: "mailer", smtp_sender_name: "Shop" });
    await configs.delete(mine);
    expect(onService()).toEqual({ smtp_sender_name: "Shop" });
    await configs.delete(theirs);
    expect(onService()).toEqual({});
  });
});

describe("a secret", () => {
  const hmac = (value: string): string => createHmac("sha256", ref).update(value).digest("hex");

  it("is compared by its hash, and another one set by hand is drift that never shows a value", async () => {
    const inputs = declared({ hooks: { sendEmail: { secrets: "v1,whsec_ours" } } });
    const made = await configs.create(inputs);
    scenario.nextRun();
    expect((await configs.read(made))?.inputs).toEqual(inputs);
    editOutside({ hook_send_email_secrets: "v1,whsec_theirs" });
    scenario.nextRun();
    const drifted = await configs.read(made);
    expect(drifted?.inputs["hooks"]).toEqual({ sendEmail: { secrets: hmac("v1,whsec_theirs") } });
    await configs.update({ id: ref, state: drifted?.state ?? {} }, inputs);
    expect(onService()).toEqual({ hook_send_email_secrets: "v1,whsec_ours" });
  });

  it("is not sent again where the service has it already", async () => {
    editOutside({ security_captcha_secret: "captcha-secret" });
    await configs.create(declared({ security: { captchaSecret: "captcha-secret" } }));
    expect(writes()).toBe(0);
  });

  it("is compared under the reference of a branch on a branch", async () => {
    const branchRef = createBranchRef(scenario, ref);
    const made = await configs.create({ projectRef: branchRef, smtp: { password: "of-the-branch" } });
    expect(onService(branchRef)).toEqual({ smtp_pass: "of-the-branch" });
    scenario.nextRun();
    expect((await configs.read(made))?.inputs["smtp"]).toEqual({ password: "of-the-branch" });
    expect(onService()).toEqual({});
  });
});

describe("an empty SMTP host", () => {
  const before: Partial<AuthConfig> = { smtp_host: "old.example.com", smtp_port: "25", smtp_user: "theirs" };

  it("empties the whole group without a difference afterwards, and a delete restores all of it", async () => {
    editOutside(before);
    const inputs = declared({ smtp: { host: "" } });
    const made = await configs.create(inputs);
    const there = scenario.emulator.control.call("getAuthConfig", { ref });
    expect([there.smtp_host, there.smtp_port, there.smtp_user]).toEqual([null, null, null]);
    scenario.nextRun();
    const read = await configs.read(made);
    expect(configs.diff(read?.state ?? {}, inputs).changes).toBe(false);
    await configs.delete(made);
    expect(onService()).toMatchObject(before);
  });

  it("gives way to a server that is declared later", async () => {
    editOutside(before);
    const made = await configs.create(declared({ smtp: { host: "" } }));
    const updated = await configs.update(made, declared({ smtp: { ...smtp, host: "new.example.com" } }));
    const now = { smtp_host: "new.example.com", smtp_port: "587", smtp_user: "mailer" };
    expect(onService()).toMatchObject(now);
    await configs.delete(updated);
    expect(onService()).toMatchObject(before);
  });

  it("stands alone in its group", () => {
    expect(configs.failures(declared({ smtp: { host: "", port: 587 } }))).toEqual([
      "smtp.port: remove it: an empty `smtp.host` empties it on the service",
    ]);
  });
});

describe("client ids that the service folds into one", () => {
  beforeEach(() => scenario.emulator.control.set("auth.additionalClientIdsFolded", true));
  const idp01 = { clientId: "web", additionalClientIds: "ios, android" };

  it("are no drift, and are not written again", async () => {
    const inputs = declared({ external: { idp01 } });
    const made = await configs.create(inputs);
    scenario.nextRun();
    const read = await configs.read(made);
    expect(read?.inputs).toEqual(inputs);
    await configs.update(made, declared({ external: { idp01: { ...idp01, enabled: false } } }));
    expect(writes()).toBe(1);
  });

  it.each([
    ["the first one", { clientId: "web" }],
    ["the further ones", { additionalClientIds: "ios,android" }],
  ])("are no drift where only %s is declared", async (_, part) => {
    editOutside({ external_idp01_client_id: "web", external_idp01_additional_client_ids: "ios,android" });
    const inputs = declared({ external: { idp01: part } });
    const made = await configs.create(inputs);
    expect(writes()).toBe(0);
    scenario.nextRun();
    expect((await configs.read(made))?.inputs).toEqual(inputs);
  });

  it("are drift where another one was added", async () => {
    const made = await configs.create(declared({ external: { idp01 } }));
    editOutside({ external_idp01_additional_client_ids: "ios,android,theirs" });
    scenario.nextRun();
    expect((await configs.read(made))?.inputs["external"]).toEqual({
      idp01: { clientId: "web", additionalClientIds: "ios,android,theirs" },
    });
  });

  it("are drift where the client id itself is another one", async () => {
    const inputs = declared({ external: { idp01 } });
    const made = await configs.create(inputs);
    editOutside({ external_idp01_client_id: "theirs" });
    scenario.nextRun();
    const drifted = await configs.read(made);
    expect(drifted?.inputs["external"]).toEqual({ idp01: { ...idp01, clientId: "theirs" } });
    await configs.update({ id: ref, state: drifted?.state ?? {} }, inputs);
    expect(onService()).toMatchObject({ external_idp01_client_id: "web" });
  });
});

it("does not take what the answer to a change leaves out for what a read shows", async () => {
  const made = await configs.create(declared({ sms: { provider: "vendorC" }, jwtExp: 60 }));
  expect(onService()).toEqual({ jwt_exp: 60 });
  expect(made.state["sms"]).toEqual({ provider: "vendorC" });
});

it("reads every other field where one cannot be read, which keeps its declared value", async () => {
  const inputs = declared({ jwtExp: 60, smtp: { senderName: "Shop", maxFrequency: 30 } });
  const made = await configs.create(inputs);
  const answer = scenario.emulator.control.call("getAuthConfig", { ref });
  scenario.nextRun();
  scenario.emulator.control.addFault({
    operation: "getAuthConfig",
    status: 200,
    body: { ...answer, jwt_exp: 90, smtp_max_frequency: "thirty", mailer_otp_exp: {} },
  });
  const read = await configs.read(made);
  expect(read?.inputs).toEqual({ ...inputs, jwtExp: 90 });
});

it("restores nothing of what it could not read before", async () => {
  const answer = scenario.emulator.control.call("getAuthConfig", { ref });
  const body = { ...answer, jwt_exp: "an hour" };
  scenario.emulator.control.addFault({ operation: "getAuthConfig", status: 200, body });
  const made = await configs.create(declared({ jwtExp: 60 }));
  expect(made.state).toMatchObject({ jwtExp: 60, __found: { values: {}, unset: [] } });
});

describe("what the service refuses", () => {
  it("is named by its path in the program, and so is what it lacks", async () => {
    const creating = configs.create(
      declared({ external: { idp02: { enabled: true, clientId: "client" } }, siteUrl: "shop" }),
    );
    await expect(creating).rejects.toThrow(
      /^AuthConfig of [a-z]{20}: the service rejected `external\.idp02\.enabled`, `external\.idp02\.secret`, `siteUrl`\. Nothing was changed\./,
    );
    await expect(creating).rejects.not.toThrow(/idp02_|site_url/);
    expect(onService()).toEqual({});
  });

  it("is named by its groups where the token lacks a permission, which the message names", async () => {
    scenario.emulator.control.addFault({ operation: "updateAuthConfig", status: 403, times: 2 });
    await expect(configs.create(declared({ jwtExp: 60, smtp }))).rejects.toThrow(
      /refused to change `jwtExp`, `smtp`\. Nothing was changed\..*auth_config_write and project_admin_write/,
    );
  });
});

it("names what does not fit, and the nearest name of an unknown one", () => {
  const faulty = { smtp: { hots: "x" }, siteUrl: "a,b" };
  expect(configs.failures(declared(faulty)).sort()).toEqual([
    expect.stringMatching(/^siteUrl: got "a,b"; expected a URL without commas/),
    expect.stringMatching(/^smtp\.hots: unknown property.*`host`/),
  ]);
});

it("manages a setting of a later version by its name in the API", async () => {
  await scenario.close();
  scenario = await startScenario({ newer: true });
  ref = scenario.healthyProject();
  configs = scenario.manage(authConfig);
  const inputs = declared({ extraSettings: { mfa_allow_low_aal: true } });
  const made = await configs.create(inputs);
  const setting = (): unknown =>
    Reflect.get(scenario.emulator.control.call("getAuthConfig", { ref }), "mfa_allow_low_aal");
  expect(setting()).toBe(true);
  scenario.nextRun();
  expect((await configs.read(made))?.inputs).toEqual(inputs);
  await configs.delete(made);
  expect(setting()).toBe(false);
});

describe("passkeys", () => {
  const webAuthn = {
    rpDisplayName: "Shop",
    rpId: "example.com",
    rpOrigins: "https://example.com,https://app.example.com",
  };
  const inputs = (more: Values = {}): Values => declared({ passkeyEnabled: true, webAuthn, ...more });
  const shown = () => scenario.emulator.control.call("getAuthConfig", { ref });
  const found = {
    passkey_enabled: false,
    webauthn_rp_display_name: null,
    webauthn_rp_id: null,
    webauthn_rp_origins: null,
  };

  it("are managed, drift and go back where the service has them", async () => {
    scenario.emulator.control.set("newer", true);
    const made = await configs.create(inputs());
    expect(shown()).toMatchObject({
      passkey_enabled: true,
      webauthn_rp_display_name: "Shop",
      webauthn_rp_id: "example.com",
      webauthn_rp_origins: "https://example.com,https://app.example.com",
    });
    const body = { webauthn_rp_id: "shop.example.com", passkey_enabled: false };
    scenario.emulator.control.call("updateAuthConfig", { ref, body });
    scenario.nextRun();
    const read = await configs.read(made);
    expect(
      configs
        .diff(read?.state ?? {}, inputs())
        .properties.map(({ path }) => path)
        .sort(),
    ).toEqual(["passkeyEnabled", "webAuthn.rpId"]);
    const repaired = await configs.update({ id: ref, state: read?.state ?? {} }, inputs());
    expect(shown()).toMatchObject({ passkey_enabled: true, webauthn_rp_id: "example.com" });
    const { rpDisplayName } = webAuthn;
    const less = await configs.update(repaired, inputs({ webAuthn: { rpDisplayName } }));
    expect(shown()).toMatchObject({ ...found, passkey_enabled: true, webauthn_rp_display_name: "Shop" });
    await configs.delete(less);
    expect(shown()).toMatchObject(found);
    expect(scenario.warnings).toEqual([]);
  });

  it("are refused before anything is written where the service does not know them", async () => {
    await expect(configs.create(inputs({ jwtExp: 60 }))).rejects.toThrow(
      "this service does not know `passkeyEnabled`, `webAuthn.rpDisplayName`, `webAuthn.rpId`, `webAuthn.rpOrigins`: the AuthConfig of",
    );
    expect(onService()).toEqual({});
    expect(scenario.calls("updateAuthConfig")).toBe(0);
  });

  it("are no drift where the service does not know them any more, and a delete restores the rest", async () => {
    scenario.emulator.control.set("newer", true);
    const made = await configs.create(inputs({ jwtExp: 60 }));
    scenario.emulator.control.set("newer", false);
    scenario.nextRun();
    const read = await configs.read(made);
    expect(configs.diff(read?.state ?? {}, inputs({ jwtExp: 60 })).changes).toBe(false);
    expect(scenario.warnings.join("\n")).toContain("this service does not know `passkeyEnabled`");
    const updated = await configs.update({ id: ref, state: read?.state ?? {} }, declared({ jwtExp: 90 }));
    await configs.delete(updated);
    expect(onService()).toEqual({ jwt_exp: 3600 });
    scenario.emulator.control.set("newer", true);
    expect(shown()).toMatchObject({ passkey_enabled: true, webauthn_rp_id: "example.com" });
  });

  it("take a domain, not an address, for the relying party", () => {
    expect(configs.failures(declared({ webAuthn: { rpId: "https://example.com" } }))).toEqual([
      expect.stringMatching(/^webAuthn\.rpId: got "https:\/\/example\.com"; expected a domain name/),
    ]);
  });
});

it("asks for the own name of a setting that it has", () => {
  expect(configs.failures(declared({ extraSettings: { smtp_host: "x" } }))).toEqual([
    "extraSettings.smtp_host: declare `smtp.host` instead, which this version supports",
  ]);
});

it("takes the move of a setting from `extraSettings` to its own field for no change", async () => {
  const made = await configs.create(declared({ smtp: { senderName: "Shop" }, jwtExp: 60 }));
  const { smtp: group, __declared: names, __found: found, ...others } = made.state;
  // As a version wrote it that had no field for the host of the SMTP server.
  expect([group, found]).toEqual([
    { senderName: "Shop" },
    { values: { jwtExp: 3600 }, unset: ["smtp.senderName"] },
  ]);
  expect(names).toEqual(["jwtExp", "projectRef", "smtp"]);
  const state = {
    ...others,
    extraSettings: { smtp_sender_name: "Shop" },
    __declared: ["extraSettings", "jwtExp", "projectRef"],
    __found: { values: { jwtExp: 3600 }, unset: ["extraSettings.smtp_sender_name"] },
  };
  const moved = authConfig.upgrade?.(state) ?? {};
  expect(configs.diff(moved, declared({ smtp: { senderName: "Shop" }, jwtExp: 60 })).changes).toBe(false);
  scenario.nextRun();
  const read = await configs.read({ id: ref, state });
  expect(read?.inputs).toMatchObject({ smtp: { senderName: "Shop" } });
  await configs.delete({ id: ref, state });
  expect(onService()).toEqual({ jwt_exp: 3600 });
});

it("is gone with its project", async () => {
  const made = await configs.create(declared({ jwtExp: 60 }));
  scenario.healthyProject("another");
  scenario.emulator.control.call("deleteProject", { ref });
  scenario.clock.advance(10 * 60_000);
  scenario.nextRun();
  expect(await configs.read(made)).toBeUndefined();
  await configs.delete(made);
});

it("waits for the auth service of a project that is starting", async () => {
  const fresh = scenario.emulator.control.call("createProject", {
    body: { name: "fresh", organization_slug: "acme", db_pass: "initial-password" },
  });
  const made = await configs.create({ projectRef: fresh.ref, jwtExp: 60 });
  expect(onService(made.id)).toEqual({ jwt_exp: 60 });
});

describe("a template in a file", () => {
  let folder: string;
  let contentFile: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "auth-templates-"));
    contentFile = join(folder, "invite.html");
    writeFileSync(contentFile, "<p>Come in</p>");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const invite = (template: Values): Values => declared({ mailer: { templates: { invite: template } } });
  const input = "mailer.templates.invite.contentFile";

  it("is sent, changes with its text, is drift when it is edited, and is restored", async () => {
    const first = configs.checked(invite({ subject: "Welcome", contentFile }));
    const made = await configs.create(first);
    expect(onService()).toEqual({
      mailer_subjects_invite: "Welcome",
      mailer_templates_invite_content: "<p>Come in</p>",
    });
    scenario.nextRun();
    const read = await configs.read(made);
    expect(configs.diff(read?.state ?? {}, first).changes).toBe(false);

    writeFileSync(contentFile, "<p>Please come in</p>");
    const second = configs.checked(invite({ subject: "Welcome", contentFile }));
    expect(configs.diff(made.state, second).properties).toMatchObject([{ path: `fileHashes["${input}"]` }]);
    const updated = await configs.update(made, second);
    expect(onService().mailer_templates_invite_content).toBe("<p>Please come in</p>");
    expect(configs.diff(updated.state, second).changes).toBe(false);

    editOutside({ mailer_templates_invite_content: "<p>By hand</p>" });
    scenario.nextRun();
    const drifted = await configs.read(updated);
    expect([...configs.diff(drifted?.state ?? {}, second).changed]).toEqual(["fileHashes"]);
    const repaired = await configs.update({ id: ref, state: drifted?.state ?? {} }, second);
    expect(onService().mailer_templates_invite_content).toBe("<p>Please come in</p>");

    rmSync(contentFile);
    await configs.delete(repaired);
    expect(
      scenario.emulator.control.call("getAuthConfig", { ref }).mailer_templates_invite_content,
    ).toContain("You have been invited");
  });

  it("gives way to the same text in the program without a write, and is restored after that as well", async () => {
    const made = await configs.create(configs.checked(invite({ contentFile })));
    const inline = configs.checked(invite({ content: "<p>Come in</p>" }));
    const updated = await configs.update(made, inline);
    expect(writes()).toBe(1);
    scenario.nextRun();
    expect(configs.diff((await configs.read(updated))?.state ?? {}, inline).changes).toBe(false);
    const emptied = await configs.update(updated, configs.checked(invite({ subject: "Welcome" })));
    expect(
      scenario.emulator.control.call("getAuthConfig", { ref }).mailer_templates_invite_content,
    ).toContain("You have been invited");
    expect(emptied.state["fileHashes"]).toBeUndefined();
  });

  it("may be another one while something beside it is not known", () => {
    const before = configs.checked(invite({ subject: "Welcome", contentFile }));
    const checked = checkInputs(authConfig, invite({ subject: UNKNOWN, contentFile }), before);
    expect(checked).toMatchObject({ failures: [], inputs: { fileHashes: UNKNOWN } });
    const first = checkInputs(authConfig, invite({ subject: UNKNOWN, contentFile }));
    expect(first.inputs["fileHashes"]).toBeUndefined();
  });

  it("must have a text, so that a failed build takes no template away", () => {
    writeFileSync(contentFile, "\n");
    expect(configs.failures(invite({ contentFile }))).toEqual([
      expect.stringContaining(`${input}: ${contentFile} is empty: write the text`),
    ]);
    expect(configs.failures(invite({ content: "" }))).toEqual([]);
  });

  it("must be there, and the only one", () => {
    const missing = join(folder, "none.html");
    expect(configs.failures(invite({ contentFile: missing }))).toEqual([
      `${input}: ${missing} cannot be read: it does not exist`,
    ]);
    expect(configs.failures(invite({ contentFile, content: "x" }))).toEqual([
      `${input}: cannot be combined with \`mailer.templates.invite.content\``,
    ]);
  });
});

it.each(["is deleted", "no longer declares it"])(
  "unsets what was not set before, though the answer lacks it, when the resource %s",
  async (end) => {
    const made = await configs.create(declared({ jwtExp: 60, smtp: { senderName: "Shop" } }));
    expect(made.state).toMatchObject({ __found: { unset: ["smtp.senderName"] } });
    const { smtp_sender_name: _, ...body } = scenario.emulator.control.call("getAuthConfig", { ref });
    scenario.nextRun();
    scenario.emulator.control.addFault({ operation: "getAuthConfig", status: 200, body, times: 100 });
    await (end === "is deleted" ? configs.delete(made) : configs.update(made, declared({ jwtExp: 60 })));
    expect(onService()).not.toHaveProperty("smtp_sender_name");
  },
);

it("repeats a write that unsets something, where every attempt failed and no read tells of it", async () => {
  const made = await configs.create(declared({ smtp: { senderName: "Shop" } }));
  const { smtp_sender_name: _, ...body } = scenario.emulator.control.call("getAuthConfig", { ref });
  scenario.nextRun();
  scenario.emulator.control.addFault({ operation: "getAuthConfig", status: 200, body, times: 100 });
  scenario.emulator.control.addFault({ operation: "updateAuthConfig", status: 502, times: 6 });
  await configs.delete(made);
  expect(onService()).not.toHaveProperty("smtp_sender_name");
});
