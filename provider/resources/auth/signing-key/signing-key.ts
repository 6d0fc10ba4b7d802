import { z } from "zod";
import { privateJwk, signingAlgorithm, signingKeyStatus } from "../../../../spec/operations/signing-keys";
import { isObject } from "../../../../spec/is-object";
import { isNotFound, type ApiError } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { inProject } from "../../../define/import-id";
import { listInProject, UUID } from "../../../define/list";
import { replaces, secret, stable, stays, writeOnly } from "../../../define/markers";
import { requireProjectRef } from "../../../define/require-project-ref";
import {
  defineResource,
  NotListedError,
  type CheckFailure,
  type ObservedResource,
} from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { poll, type Verdict } from "../../../waiting/poll";
import { isChangeRefused, isTooSoon, unhurried } from "../shared/signing-key-pace";
import { listSigningKeysNow, listSigningKeysOnce, type SigningKeyRecord } from "../shared/signing-keys";
import {
  createKey,
  deleteKey,
  mayBeKeyPair,
  createFirstStatusError,
  requireNoStandby,
  setStatus,
} from "./calls";
import { moveToStatus } from "./moves";
import { problems } from "./problems";

const inputs = z.strictObject({
  projectRef,
  algorithm: replaces(signingAlgorithm.describe("Signature algorithm. A change replaces the key.")),
  status: stays(
    signingKeyStatus.describe(
      "Desired state of the key. A new key can be `standby` or `in_use`. Setting a key to `in_use` makes the current one `previously_used`. If omitted, the state is not managed, and a rotation elsewhere is not drift.",
    ),
    "For another state, declare it.",
  ).optional(),
  privateJwk: secret(
    writeOnly(
      replaces(
        privateJwk.describe(
          "Private key to import, as a JWK whose `kty` matches the algorithm: `OKP` for EdDSA, `EC` for ES256, `RSA` for RS256, `oct` for HS256. The service never returns it. A change replaces the key. Default: the service generates one.",
        ),
      ),
    ),
  ).optional(),
  ...everyResource,
});

// The state is no output: where it is not declared, it is others who rotate keys.
// Without the time of the last change: it moves when others rotate keys, which is no drift of this one.
const outputs = z.object({
  publicJwk: stable(
    z
      .record(z.string(), z.unknown())
      .describe("Public half of the key as a JWK. Absent for a shared secret (HS256)."),
  ).optional(),
  status: z
    .string()
    .describe("State of the key, declared or not: `standby`, `in_use`, `previously_used` or `revoked`."),
  createdAt: stable(z.string().describe("Creation time, ISO 8601.")),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;
type DeclaredKeyStatus = NonNullable<Inputs["status"]>;

const keyTypes: Readonly<Record<Inputs["algorithm"], string>> = {
  EdDSA: "OKP",
  ES256: "EC",
  RS256: "RSA",
  HS256: "oct",
};

export function fromWire(record: SigningKeyRecord): ObservedResource<Inputs, Outputs> {
  const { algorithm, status, public_jwk, created_at } = record;
  return {
    inputs: {
      // A value of a later version of the service differs from the declared one, whatever it is; every key has one.
      algorithm: (algorithm ?? undefined) as Inputs["algorithm"] | undefined,
      status: status as DeclaredKeyStatus | null | undefined,
    },
    outputs: {
      publicJwk: publicHalfOf(public_jwk),
      status: status ?? undefined,
      createdAt: created_at ?? undefined,
    },
  };
}

/** What only a private key has (RFC 7518): it is in no state, whatever the service returns. */
const PRIVATE_MEMBERS: readonly string[] = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/** Undefined of a shared secret, which has none. */
function publicHalfOf(jwk: unknown): Record<string, unknown> | undefined {
  if (!isObject(jwk) || jwk["kty"] === "oct") return undefined;
  return Object.fromEntries(Object.entries(jwk).filter(([name]) => !PRIVATE_MEMBERS.includes(name)));
}

/** A key that signs the JWTs of a project. */
export const signingKey = defineResource({
  type: "SigningKey",
  description:
    "A key that signs the JWTs of a project's users. A change of `status` passes through the states in between and waits as long as the service requires between two changes. A delete revokes the key first and waits until the service allows the deletion.",
  inputs,
  outputs,
  timeouts: { create: 1_200, update: 1_200, delete: 1_800 },
  importId: inProject("signingKeyId", "`getSigningKeys`"),
  list: listInProject(
    async (ctx, ref) =>
      (await listSigningKeysOnce(ctx, ref)).map(({ id, algorithm, status }) => ({
        id,
        name: [status, algorithm].filter((part) => part != null).join(" "),
      })),
    UUID,
  ),
  problems,

  // A second standby key is refused, and so is a second one of a `kid` (service, Signing keys).
  createsDuplicates: ({ status, privateJwk: jwk }) => status === "in_use" && jwk?.kid === undefined,

  // One key at a time is standby, and one in use cannot be deleted. Left out, the state is standby, as it is made.
  deletesFirst: ({ status: before = "standby" }, { status = "standby" }) =>
    before === "standby" && status === "standby",

  // The public half of a key pair tells another key.
  contradicts: ({ publicJwk }, { privateJwk: jwk }) => (mayBeKeyPair(publicJwk, jwk) ? [] : ["privateJwk"]),

  check({ algorithm, privateJwk: jwk, status, adopt, adoptId }, _, before) {
    const failures: CheckFailure[] = [];
    if (algorithm !== undefined && jwk !== undefined && keyTypes[algorithm] !== jwk.kty) {
      const reason = `its \`kty\` is ${jwk.kty}, but the algorithm ${algorithm} needs ${keyTypes[algorithm]}`;
      failures.push({ path: "privateJwk", reason });
    }
    const isNew = before === undefined && adopt !== true && adoptId === undefined;
    if (isNew && status !== undefined && !isFirst(status))
      failures.push({ path: "status", reason: problems.notAtFirst.message({ status }) });
    return { failures };
  },

  async find(ctx, { projectRef: ref, algorithm, status, privateJwk: jwk, adopt }) {
    const keys = await listSigningKeysOnce(ctx, ref);
    const isNamed = (key: SigningKeyRecord): boolean => key.id === jwk?.kid;
    // One that does not show its algorithm may be what a create has made; nobody asked to take it over.
    const mayBeOfAlgorithm = ({ algorithm: shown }: SigningKeyRecord): boolean =>
      shown == null ? adopt !== true : shown === algorithm;
    return (
      keys
        .filter((key) => mayBeOfAlgorithm(key) || isNamed(key))
        // A key has no name: one that is asked for is recognised by its state, one that stands in the way by being standby.
        .filter((key) => isNamed(key) || adopt !== true || status === undefined || key.status === status)
        .map((key) => ({
          id: key.id,
          label: `${key.status ?? "unknown"} ${key.algorithm ?? ""} key, created ${key.created_at ?? "at an unknown time"}`,
          createdAt: key.created_at ?? undefined,
          isDifferentObject: !mayBeKeyPair(key.public_jwk, jwk),
          collides: isNamed(key) || (status !== "in_use" && key.status === "standby"),
        }))
    );
  },

  async read(ctx, { id, state }) {
    const ref = requireProjectRef(state);
    const key = (await listSigningKeysOnce(ctx, ref)).find((each) => each.id === id);
    if (key === undefined) return undefined;
    const observed = fromWire(key);
    return { ...observed, inputs: { ...observed.inputs, projectRef: ref } };
  },

  async create(ctx, { projectRef: ref, algorithm, status = "standby", privateJwk: jwk }) {
    if (!isFirst(status)) throw createFirstStatusError(status);
    if (status === "standby") await requireNoStandby(ctx, ref);
    const jwkField = jwk === undefined ? {} : { private_jwk: jwk };
    const made = await createKey(ctx, ref, { algorithm, status, ...jwkField });
    return { id: made.id, ...fromWire(made) };
  },

  async settle(ctx, { id, inputs: { projectRef: ref, status } }) {
    if (status !== undefined) return fromWire(await moveToStatus(ctx, ref, id, status));
    const key = (await listSigningKeysOnce(ctx, ref)).find((each) => each.id === id);
    return fromWire(key ?? (await ctx.api.getSigningKey({ ref, id })));
  },

  // A change of `status` is the work of `settle`.
  update: () => Promise.resolve({}),

  delete: (ctx, { id, state }) => removeKey(ctx, requireProjectRef(state), id),
});

/** Whether a key can be made with it. */
function isFirst(status: string): status is "standby" | "in_use" {
  return status === "standby" || status === "in_use";
}

const gone: Verdict<undefined> = { kind: "done", value: undefined };

/** Revokes the key where that is allowed and deletes it when it has been revoked for long enough (service, Signing keys). */
async function removeKey(ctx: Context, ref: string, id: string): Promise<void> {
  let isListed = false;
  await poll<Verdict<undefined>, undefined>(ctx, {
    what: `signing key ${id} to become deletable`,
    ...unhurried,
    look: async () => {
      const keys = await listSigningKeysNow(ctx, ref);
      const key = keys.find((each) => each.id === id);
      if (key === undefined && !isListed) throw new NotListedError(`no signing key ${id} is listed`);
      isListed = true;
      return key === undefined ? gone : continueRemoval(ctx, ref, key, keys);
    },
    judge: (verdict) => verdict,
  });
}

async function continueRemoval(
  ctx: Context,
  ref: string,
  key: SigningKeyRecord,
  keys: readonly SigningKeyRecord[],
): Promise<Verdict<undefined>> {
  if (key.status === "in_use") {
    return toFailedVerdict(problems.inUse.message({ id: key.id, urn: ctx.urn }));
  }
  try {
    if (key.status === "revoked") {
      await deleteKey(ctx, ref, key.id);
      return gone;
    }
    await setStatus(ctx, ref, key.id, "revoked");
    return { kind: "waiting", reason: "it is revoked, and the service deletes it only some time later" };
  } catch (error) {
    if (isNotFound(error)) return gone;
    if (!isChangeRefused(error)) throw error;
    return judgeRefusal(ctx, key, error, isTooSoon(error, keys, ctx.clock.now()));
  }
}

function judgeRefusal(
  ctx: Context,
  key: SigningKeyRecord,
  refusal: ApiError,
  willPass: boolean,
): Verdict<undefined> {
  const { serviceMessage } = refusal;
  if (/legacy/i.test(serviceMessage)) {
    return toFailedVerdict(problems.legacy.message({ id: key.id, answer: serviceMessage, urn: ctx.urn }));
  }
  if (key.status === "revoked" || willPass) {
    return { kind: "waiting", reason: `it is ${key.status ?? "there"}; the service says: ${serviceMessage}` };
  }
  return toFailedVerdict(
    problems.notRevoked.message({
      ...{ id: key.id, status: key.status ?? "in an unknown state" },
      ...{ answer: serviceMessage, urn: ctx.urn },
    }),
  );
}

function toFailedVerdict(message: string): Verdict<undefined> {
  return { kind: "failed", error: new Error(message) };
}
