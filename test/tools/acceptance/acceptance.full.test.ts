import { rmSync } from "node:fs";
import { resourceByType } from "../../../provider/catalog/catalog";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../../emulator";
import { compareExchanges, type Difference } from "../../../tools/acceptance/compare";
import { recordingFile, recordingOf } from "../../../tools/acceptance/recording";
import { runOnEmulator } from "../../../tools/acceptance/reference";
import { runAcceptance, type AcceptanceResult, type Wanted } from "../../../tools/acceptance/session";
import { allSubjects, knownTypes, subjectsOf } from "../../../tools/acceptance/subjects";
import { baseSubjects } from "../../../tools/acceptance/subjects/base";
import { ACME_FILE } from "../../spec/names/acme";
import { temporaryFolder } from "../../kit/temporary-folder";
import { VirtualClock } from "../../../tools/virtual-clock";
import { PLANTED, startDifferingService } from "./differing-service";

const wanted: Wanted = {
  organization: "acme",
  projectName: "acceptance-0123456789abcdef",
  region: "eu-central-1",
  dbPass: "a-password-of-the-run",
  hostname: "db.example.com",
  withCost: true,
  subjects: baseSubjects,
};

const everything: Wanted = { ...wanted, subjects: allSubjects };

/** What a service under trial is, and what happens to it. */
interface Trial {
  readonly options?: EmulatorOptions;
  /** Makes the service differ from the emulator that it is compared with. */
  readonly differ?: (emulator: Emulator) => void;
  /** A line of progress at which the run is interrupted. */
  readonly interruptedAt?: string;
  /** Whether answers have the differences that are planted for each type. */
  readonly isPlanted?: true;
  /** The types that are tried; those of the first release where it is absent. */
  readonly tries?: Wanted;
}

interface Result extends AcceptanceResult {
  readonly emulator: Emulator;
  readonly stranger: string;
}

/** Runs on an emulator that has a project of somebody else as well. */
async function onService({ options = {}, tries = wanted, ...trial }: Trial): Promise<Result> {
  const { differ, interruptedAt, isPlanted } = trial;
  const clock = new VirtualClock();
  const emulator = await startEmulator({ clock, ...options });
  const folder = temporaryFolder("acceptance-");
  const stranger = emulator.control.call("createProject", {
    body: { name: "somebody-elses-shop", organization_slug: "acme", db_pass: "their-password" },
  }).ref;
  clock.advance(600_000);
  differ?.(emulator);
  const interrupted = new AbortController();
  const service = await startDifferingService(emulator.url, isPlanted === true ? PLANTED : {});
  try {
    const baseUrl = isPlanted === true ? service.url : emulator.url;
    const result = await runAcceptance(
      { baseUrl, accessToken: emulator.accessToken, names: options.names, clock },
      tries,
      {
        folder,
        signal: interrupted.signal,
        say: (line) => {
          service.type = /^(\w+): (?:trying|creating|destroying)$/.exec(line)?.[1] ?? service.type;
          if (line !== interruptedAt) return;
          // While the step is under way.
          void clock.sleep(1).then(() => interrupted.abort(new Error("interrupted")));
        },
      },
    );
    expect(emulator.control.call("listProjects", {}).map(({ name }) => name)).toEqual([
      "somebody-elses-shop",
    ]);
    expect(emulator.control.internalErrors).toEqual([]);
    expect(emulator.control.calls().filter(({ path }) => path.includes(stranger))).toEqual([]);
    return { ...result, emulator, stranger };
  } finally {
    await service.close();
    await emulator.close();
    clock.close();
    rmSync(folder, { recursive: true });
  }
}

async function compared(result: Result, tries: Wanted = wanted): Promise<readonly Difference[]> {
  const recording = recordingOf(result, tries, [result.emulator.accessToken]);
  const reference = await runOnEmulator(tries, { newer: false, plan: recording.plan });
  return compareExchanges(recording.exchanges, recordingOf(reference, tries, []).exchanges);
}

const BEFORE = ["look", "create", "read", "no change"];
const AFTER = ["destroy", "nothing left"];
const EDITED = [...BEFORE, "edit", "refresh", "repair", "repaired", ...AFTER];

/** What the service refuses to a project of this plan, or to every project (service, Backups). */
const REFUSED = ["BackupSchedule", "RestorePoint", "RestorePointUndo"];

/** The types of which nothing is edited outside Pulumi. */
const UNEDITED = ["DatabaseWebhooks", "Disk", "JitAccess", "LegacySigningKey", "LoginRole"];

function stepsOf(type: string): readonly string[] {
  if (REFUSED.includes(type)) return [];
  if (UNEDITED.includes(type)) return [...BEFORE, ...AFTER];
  return resourceByType(type).isAction === true ? [...BEFORE, "again", ...AFTER] : EDITED;
}

it("passes for every type against an emulator that speaks an installation's names, and finds no difference", async () => {
  const result = await onService({ options: { names: ACME_FILE }, tries: everything });
  expect(result.outcomes.map(({ type, done, faults }) => ({ type, done, faults }))).toEqual(
    knownTypes().map((type) => ({ type, done: stepsOf(type), faults: [] })),
  );
  expect(
    result.outcomes.flatMap(({ type, unedited }) => (unedited === undefined ? [] : type)).sort(),
  ).toEqual(UNEDITED);
  expect(result.outcomes.flatMap(({ type, leftOut }) => (leftOut === undefined ? [] : type)).sort()).toEqual(
    REFUSED,
  );
  expect(result.isClean).toBe(true);
  expect(await compared(result, everything)).toEqual([]);
});

it("finds for every type the difference that is planted for it, and no other", async () => {
  const result = await onService({ isPlanted: true, tries: everything });
  expect(result.outcomes.flatMap(({ type, faults }) => faults.map((fault) => `${type}: ${fault}`))).toEqual(
    [],
  );
  const found = (await compared(result, everything)).flatMap(({ operation, kind, places }) =>
    places.map((place) => `${place.slice(0, place.indexOf(":"))} ${operation} ${kind}`),
  );
  const planted = Object.entries(PLANTED).flatMap(([type, { operation, kind }]) =>
    REFUSED.includes(type) ? [] : `${type} ${operation} ${kind}`,
  );
  expect([...new Set(found)].sort()).toEqual(planted.sort());
});

it("records no secret and no identity", async () => {
  const result = await onService({ tries: everything });
  const recording = recordingOf(result, everything, [result.emulator.accessToken]);
  const text = JSON.stringify(recording, undefined, 1);
  const identities =
    /"[a-z]{20}"|[\da-f]{8}-[\da-f]{4}-|eyJ|\d{4}-\d\d-\d\dT|svc_secret_|svc_publishable_|[\da-f]{32}/;
  expect(identities.exec(text)?.[0]).toBeUndefined();
  // What the service was told and answered, past the recording's own idea of a secret.
  const said = result.exchanges.flatMap(({ sent, answer }) => [...textsIn(sent), ...textsIn(answer)]);
  const secrets = said.filter((each) => /^svc_|first-value|password|BEGIN/.test(each));
  expect(secrets.length).toBeGreaterThan(0);
  for (const secret of [
    ...secrets,
    wanted.dbPass,
    result.emulator.accessToken,
    "somebody-elses-shop",
    result.stranger,
  ])
    expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
  // It reads back as it was written.
  expect(recordingFile.parse(JSON.parse(text))).toEqual(JSON.parse(text));
});

it("finds in what a newer service and refusals differ, and nothing else", async () => {
  const result = await onService({
    differ: ({ control }) => {
      control.set("newer", true);
      control.addFault({ operation: "createSecrets", status: 200, body: {}, after: true, times: 100 });
      const refusal = { status: 400, message: "There is no hostname." };
      control.addFault({ operation: "getCustomHostname", ...refusal, times: 1 });
    },
  });
  expect(result.outcomes.flatMap(({ faults }) => faults)).toEqual([]);
  const differences = await compared(result);
  expect(
    differences.map(({ operation, kind, path, service, emulator }) =>
      [operation, kind, path, service, emulator].join(" "),
    ),
  ).toEqual([
    "createSecrets status  200 201",
    "createSsoProvider shape disabled boolean null",
    "createSsoProvider shape saml.created_at time absent",
    "deleteSsoProvider shape disabled boolean null",
    "deleteSsoProvider shape saml.created_at time absent",
    'getCustomHostname text message "There is no hostname." "No custom hostname configuration found."',
    "listSsoProviders shape items[].disabled boolean null",
    "listSsoProviders shape items[].saml.created_at time absent",
    "updateAuthConfig shape passkey_enabled boolean absent",
    "updateAuthConfig shape webauthn_rp_display_name null absent",
    "updateAuthConfig shape webauthn_rp_id null absent",
    "updateAuthConfig shape webauthn_rp_origins null absent",
    "updateAuthConfig shape mfa_allow_low_aal boolean absent",
    "updateAuthConfig shape audit_log_disable_postgres boolean absent",
    "updateAuthConfig shape security_update_password_require_current_password boolean absent",
    "updateAuthConfig shape index_worker_ensure_user_search_indexes_exist boolean absent",
    "updateSsoProvider shape disabled boolean null",
    "updateSsoProvider shape saml.created_at time absent",
  ]);
});

it.each(["Project: creating", ...allSubjects.map(({ type }) => `${type}: trying`)])(
  "removes what it created when it is interrupted at %s",
  async (interruptedAt) => {
    const [type = ""] = interruptedAt.split(":");
    const tries = { ...wanted, subjects: subjectsOf([type]) };
    const result = await onService({ interruptedAt, tries });
    expect(result.isClean).toBe(true);
    expect(result.outcomes.find((outcome) => outcome.type === "Project")?.done.slice(-2)).toEqual([
      "destroy",
      "nothing left",
    ]);
    expect(result.emulator.world.state.branches.size).toBe(0);
  },
);

it("stops before anything else is created where the service asks more than was stated", async () => {
  const result = await onService({
    differ: ({ control }) => {
      const variant = { id: "ci_micro", price: { amount: 5, interval: "hourly" } };
      const body = { selected_addons: [], available_addons: [{ variants: [variant] }] };
      control.addFault({ operation: "listAddons", status: 200, body, times: 100 });
    },
  });
  expect(result.outcomes.map(({ type }) => type)).toEqual(["Project"]);
  expect(result.outcomes[0]?.faults).toEqual([
    "The service asks $5 hourly for the project's compute, of the smallest size, more than the $0.01344 hourly that was stated. Nothing more is created.",
  ]);
  expect(result.isClean).toBe(true);
});

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
