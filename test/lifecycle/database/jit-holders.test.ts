import { userIdOf } from "../../../emulator/service/access/caller";
import type { JitRecord } from "../../../emulator/service/world/records/database";
import type { Values } from "../../../provider/define/values";
import { declaring, messagesOf, startMachine, type Machine } from "../../kit/machine";
import type { Outcome } from "../../kit/model-engine";
import type { Scenario } from "../../kit/scenario";

let scenario: Scenario;
let machine: Machine;
let ref: string;

const EMAIL = "ana@example.com";
const NEW_EMAIL = "ana.smith@example.com";
const ANA = userIdOf("ana");
const BEN = userIdOf("ben");
const WEEK_MS = 7 * 24 * 3_600_000;

beforeEach(async () => {
  ({ scenario, machine, projectRef: ref } = await startMachine());
  for (const user of ["ana", "ben"]) scenario.emulator.control.createToken({ user });
  scenario.emulator.control.edit(({ organizations }) => {
    const organization = organizations.get("acme");
    if (organization) organization.plan = "platform";
  });
  editJit((jit) => void jit.users.set(BEN, [{ role: "of-ben" }]));
});
afterEach(() => machine.close());

function jitOf(projectRef: string): JitRecord {
  const project = scenario.emulator.world.state.projects.get(projectRef);
  if (project === undefined) throw new Error("The project is gone");
  return project.jit;
}

function editJit(change: (jit: JitRecord) => void): void {
  scenario.emulator.control.edit(() => {
    change(jitOf(ref));
  });
}

function setAddress(user: string, email: string | null): void {
  scenario.emulator.control.edit(({ organizations }) => {
    for (const member of organizations.get("acme")?.members.values() ?? [])
      if (member.user === user) member.email = email;
  });
}

const toNames = (roles: readonly { readonly role: string }[] = []): string =>
  roles.map((one) => one.role).join(" ");

/** Who has which roles: Ana, and by address who is invited to which. */
function seen(): readonly [ana: string, invited: string] {
  expect(toNames(jitOf(ref).users.get(BEN))).toBe("of-ben");
  const { users, invitations } = jitOf(ref);
  return [
    toNames(users.get(ANA)),
    invitations.map(({ email, roles }) => `${email.replace("@example.com", "")}: ${toNames(roles)}`).join(),
  ];
}

const program = (inputs: Values, role = "postgres") =>
  declaring("JitUser", { projectRef: ref, roles: [{ role }], ...inputs });

/** Ana opens the mail. */
const accept = (): void =>
  editJit(({ users, invitations }) => void users.set(ANA, invitations.splice(0, 1)[0]?.roles ?? []));
/** Another program has given Ana roles by her identifier. */
const grantAside = (): void => editJit(({ users }) => void users.set(ANA, [{ role: "admin" }]));
async function acceptAndSee(): Promise<void> {
  accept();
  await machine.refresh();
  expect(machine.engine.get("it")?.state).toMatchObject({ status: "accepted", acceptedBy: ANA });
}

const situations = {
  pending: () => undefined,
  "accepted, and no run has seen it": accept,
  accepted: acceptAndSee,
  "accepted, and the address has changed": async () => {
    await acceptAndSee();
    setAddress("ana", NEW_EMAIL);
  },
  "accepted, and the address is null": async () => {
    await acceptAndSee();
    setAddress("ana", null);
  },
  "accepted, and the address is another user's": async () => {
    await acceptAndSee();
    setAddress("ana", null);
    setAddress("ben", EMAIL);
  },
  "accepted and revoked": async () => {
    await acceptAndSee();
    editJit(({ users }) => void users.delete(ANA));
  },
  "accepted and revoked, and the address is another user's": async () => {
    await acceptAndSee();
    editJit(({ users }) => void users.delete(ANA));
    setAddress("ben", EMAIL);
  },
  "pending beside roles from elsewhere": grantAside,
  expired: () => {
    scenario.clock.advance(WEEK_MS);
  },
  "expired beside roles from elsewhere": () => {
    scenario.clock.advance(WEEK_MS);
    grantAside();
  },
} as const;
type Situation = keyof typeof situations;

interface Expected {
  readonly ana: string;
  readonly invited: string;
  readonly fails?: string;
  /** What one warning says. */
  readonly warns?: string;
}
interface Row {
  readonly update: Expected;
  readonly destroy: Expected;
  /** Replaced by a resource of the user's identifier. */
  readonly byId: Expected;
  readonly isGone?: true;
}

const NOBODY: Expected = { ana: "", invited: "" };
const READER: Expected = { ana: "reader", invited: "" };
const INVITED: Expected = { ana: "", invited: "ana: reader" };
const OF_ANOTHER = `the address ${EMAIL} belongs to the user ${BEN} by now`;
const rows: Readonly<Record<Situation, Row>> = {
  pending: { update: INVITED, destroy: NOBODY, byId: READER },
  "accepted, and no run has seen it": { update: READER, destroy: NOBODY, byId: READER },
  accepted: { update: READER, destroy: NOBODY, byId: READER },
  "accepted, and the address has changed": { update: READER, destroy: NOBODY, byId: READER },
  "accepted, and the address is null": { update: READER, destroy: NOBODY, byId: READER },
  "accepted, and the address is another user's": {
    update: { ...READER, warns: OF_ANOTHER },
    destroy: { ...NOBODY, warns: OF_ANOTHER },
    byId: { ...READER, warns: OF_ANOTHER },
  },
  "accepted and revoked": { update: INVITED, destroy: NOBODY, byId: READER, isGone: true },
  "accepted and revoked, and the address is another user's": {
    update: { ...NOBODY, fails: BEN },
    destroy: NOBODY,
    byId: READER,
    isGone: true,
  },
  "pending beside roles from elsewhere": {
    update: { ana: "admin", invited: "ana: postgres", fails: `The user ${ANA} has the address ${EMAIL}` },
    destroy: { ana: "admin", invited: "", warns: `the user ${ANA} has the address ${EMAIL}` },
    byId: READER,
  },
  expired: { update: INVITED, destroy: NOBODY, byId: READER },
  "expired beside roles from elsewhere": {
    update: { ana: "admin", invited: "ana: postgres", fails: `The user ${ANA} has the address ${EMAIL}` },
    destroy: { ana: "admin", invited: "", warns: `the user ${ANA} has the address ${EMAIL}` },
    byId: READER,
  },
};

async function expectAfter(
  work: () => Promise<Outcome>,
  { ana, invited, fails, warns }: Expected,
): Promise<void> {
  machine.warnings.length = 0;
  const messages = messagesOf(await work());
  expect(messages).toEqual(fails === undefined ? [] : [expect.stringContaining(fails)]);
  expect(seen()).toEqual([ana, invited]);
  if (warns !== undefined) expect(machine.warnings.filter((line) => line.includes(warns))).toHaveLength(1);
}

describe.each(Object.keys(situations) as Situation[])("a grant by an address, %s", (situation) => {
  const { update, destroy, byId, isGone = false } = rows[situation];
  beforeEach(async () => {
    expect(messagesOf(await machine.up(program({ email: EMAIL })))).toEqual([]);
    await situations[situation]();
  });

  it("is read without a change of anything", async () => {
    const [ana, invited] = seen();
    const { warns } = destroy;
    await expectAfter(() => machine.refresh(), { ana, invited, ...(warns === undefined ? {} : { warns }) });
    expect(machine.engine.names).toEqual(isGone ? [] : ["it"]);
  });

  describe.each(["with", "without"])("%s a refresh before it", (refreshed) => {
    beforeEach(async () => {
      if (refreshed === "with") await machine.refresh();
    });

    it("changes the roles of nobody else", () =>
      expectAfter(() => machine.up(program({ email: EMAIL }, "reader")), update));

    it("is deleted with the roles that it granted", () => expectAfter(() => machine.destroy(), destroy));

    it("is replaced by one of the same user's identifier, which keeps the roles", () =>
      expectAfter(() => machine.up(program({ userId: ANA, adopt: true }, "reader")), byId));
  });
});

it.each([
  ["accepted", { ana: "", invited: "ana.smith: reader" }],
  ["accepted, and the address has changed", READER],
] as const)("goes on with the new address of the user: %s", async (situation, expected) => {
  await machine.up(program({ email: EMAIL }));
  await situations[situation]();
  await expectAfter(() => machine.up(program({ email: NEW_EMAIL, adopt: true }, "reader")), expected);
});

it("is ours where the invitation was accepted, though somebody has invited the address anew", async () => {
  await machine.up(program({ email: EMAIL }));
  accept();
  scenario.emulator.control.call("inviteJitUser", {
    ref,
    body: { email: EMAIL, roles: [{ role: "admin" }] },
  });
  await expectAfter(() => machine.destroy(), NOBODY);
});

describe("a grant by an identifier", () => {
  beforeEach(async () => {
    expect(messagesOf(await machine.up(program({ userId: ANA })))).toEqual([]);
  });
  const changes = {
    nothing: () => undefined,
    "the address has changed": () => setAddress("ana", NEW_EMAIL),
    "the address is null": () => setAddress("ana", null),
    "the address is another user's": () => {
      setAddress("ana", null);
      setAddress("ben", EMAIL);
    },
    "the address is invited too": () =>
      void scenario.emulator.control.call("inviteJitUser", {
        ref,
        body: { email: EMAIL, roles: [{ role: "admin" }] },
      }),
  } as const;
  const ofAddress: Readonly<Record<keyof typeof changes, Expected>> = {
    nothing: READER,
    // The address is nobody's: who has it is another person, as far as the service shows.
    "the address has changed": INVITED,
    "the address is null": INVITED,
    "the address is another user's": { ana: "postgres", invited: "", fails: "already exists" },
    "the address is invited too": READER,
  };

  it.each(Object.keys(changes) as (keyof typeof changes)[])(
    "has its user's roles alone: %s",
    async (change) => {
      changes[change]();
      const [, invited] = seen();
      await expectAfter(() => machine.refresh(), { ana: "postgres", invited });
      await expectAfter(() => machine.up(program({ userId: ANA }, "reader")), { ana: "reader", invited });
      await expectAfter(() => machine.destroy(), { ana: "", invited });
    },
  );

  it.each(Object.keys(changes) as (keyof typeof changes)[])(
    "is replaced by one of the address: %s",
    async (change) => {
      changes[change]();
      const adopt = change === "the address is another user's" ? {} : { adopt: true };
      await expectAfter(() => machine.up(program({ email: EMAIL, ...adopt }, "reader")), ofAddress[change]);
    },
  );

  it("is revoked where the one of the address is in another project", async () => {
    const other = scenario.healthyProject("other");
    await expectAfter(() => machine.up(program({ projectRef: other, email: EMAIL, adopt: true })), NOBODY);
    expect(jitOf(other).invitations.map(({ email }) => email)).toEqual([EMAIL]);
  });

  it("keeps the roles, and says so, where the service shows no addresses", async () => {
    const items = [{ user_id: ANA, user_roles: [{ role: "postgres" }] }];
    scenario.emulator.control.addFault({ operation: "listJitUsers", status: 200, body: { items }, times: 9 });
    const next = program({ email: EMAIL }).map((each) => ({ ...each, deleteBeforeReplace: true }));
    await expectAfter(() => machine.up(next), {
      ana: "postgres",
      invited: "",
      fails: "declare `userId` in place of `email`",
      warns: "were not revoked",
    });
  });
});
