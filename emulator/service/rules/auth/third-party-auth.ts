import { createPublicKey } from "node:crypto";
import { z } from "zod";
import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import { projectAt, settledProjectAt } from "../shared/project-at";
import type { ThirdPartyAuthRecord } from "../../world/records/auth";
import type { ProjectRecord } from "../../world/records/project";
import { requireFound, Refusal } from "../../answers/refusal";

type ThirdPartyAuthView = OperationAnswer<Operations["getThirdPartyAuth"]>;
type Body = Parameters<Handler<Operations["createThirdPartyAuth"]>>[0]["body"];

/** From the creation to the first look at the keys, and from one look to the next; at pace 1. */
const FIRST_LOOK_MS = 10_000;
const BETWEEN_LOOKS_MS = 3_600_000;

const listThirdPartyAuth: Handler<Operations["listThirdPartyAuth"]> = ({ params, world }) =>
  [...projectAt(world, params.ref).auth.thirdParties.values()].map((one) => viewThirdParty(world, one));

const createThirdPartyAuth: Handler<Operations["createThirdPartyAuth"]> = ({ params, body, world }) => {
  const project = settledProjectAt(world, params.ref, "auth");
  requireOneSource(body);
  const now = world.clock.now();
  const { custom_jwks: customJwks = null } = body;
  const thirdParty: ThirdPartyAuthRecord = {
    id: world.newId(),
    oidcIssuerUrl: body.oidc_issuer_url ?? null,
    jwksUrl: body.jwks_url ?? null,
    customJwks,
    insertedAt: now,
    // There is nothing to look for in keys that were given; as measured, they are never resolved.
    resolved: customJwks === null || isAsMeasured(world.state) ? null : { jwks: customJwks, at: now },
  };
  project.auth.thirdParties.set(thirdParty.id, thirdParty);
  return viewThirdParty(world, thirdParty);
};

const getThirdPartyAuth: Handler<Operations["getThirdPartyAuth"]> = ({ params, world }) =>
  viewThirdParty(world, thirdPartyAt(projectAt(world, params.ref), params.tpa_id));

const deleteThirdPartyAuth: Handler<Operations["deleteThirdPartyAuth"]> = ({ params, world }) => {
  const project = settledProjectAt(world, params.ref, "auth");
  const thirdParty = thirdPartyAt(project, params.tpa_id);
  project.auth.thirdParties.delete(thirdParty.id);
  return viewThirdParty(world, thirdParty);
};

function thirdPartyAt(project: ProjectRecord, id: string): ThirdPartyAuthRecord {
  return requireFound(project.auth.thirdParties.get(id), "Third-party auth integration not found");
}

/** Unknown what the service makes of none or several: here exactly one must say where the keys are. */
function requireOneSource({ oidc_issuer_url: issuer, jwks_url: url, custom_jwks: keys }: Body): void {
  const given = [issuer, url, keys ?? undefined].filter((source) => source !== undefined);
  if (given.length !== 1) {
    const what = given.length === 0 ? "none is given" : `${given.length} are given`;
    throw new Refusal(400, `Exactly one of oidc_issuer_url, jwks_url and custom_jwks is needed: ${what}`);
  }
  requireHttps("oidc_issuer_url", issuer);
  requireHttps("jwks_url", url);
  if (keys !== undefined && keys !== null) requireKeySet("custom_jwks", keys);
}

function requireHttps(field: string, url: string | undefined): void {
  if (url === undefined || (URL.canParse(url) && new URL(url).protocol === "https:")) return;
  throw new Refusal(400, `${field}: "${url}" is not a valid HTTPS URL`);
}

/**
 * As documented, `resolved_*` change by themselves: keys that cannot be found now leave those found before. As measured, they are
 * found at the creation, and then never change again (service, Third-party auth).
 */
function look(world: World, thirdParty: ThirdPartyAuthRecord): void {
  const source = thirdParty.jwksUrl ?? thirdParty.oidcIssuerUrl;
  if (isAsMeasured(world.state)) {
    const found = source === null ? undefined : world.state.auth.keySets.get(source);
    if (found !== undefined) thirdParty.resolved ??= { jwks: found, at: world.clock.now() };
    return;
  }
  const since = world.clock.now() - thirdParty.insertedAt - FIRST_LOOK_MS * world.pace;
  if (source === null || since < 0) return;
  const interval = BETWEEN_LOOKS_MS * world.pace;
  const lookedAt = world.clock.now() - (interval === 0 ? 0 : since % interval);
  const jwks = world.state.auth.keySets.get(source);
  const isNewer = thirdParty.resolved === null || thirdParty.resolved.at < lookedAt;
  if (jwks !== undefined && isNewer) thirdParty.resolved = { jwks, at: lookedAt };
}

function viewThirdParty(world: World, thirdParty: ThirdPartyAuthRecord): ThirdPartyAuthView {
  look(world, thirdParty);
  const { id, oidcIssuerUrl, jwksUrl, customJwks, insertedAt, resolved } = thirdParty;
  return {
    id,
    // Whatever says where the keys are (service, Third-party auth).
    type: "custom",
    oidc_issuer_url: oidcIssuerUrl,
    jwks_url: jwksUrl,
    custom_jwks: customJwks,
    resolved_jwks: resolved?.jwks ?? null,
    inserted_at: new Date(insertedAt).toISOString(),
    updated_at: new Date(resolved?.at ?? insertedAt).toISOString(),
    resolved_at: resolved === null ? null : new Date(resolved.at).toISOString(),
  };
}

const keySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) });

/** Refuses what is no JSON Web Key Set of public keys: a private one must not be given away, a shared one is none. */
function requireKeySet(place: string, value: unknown): void {
  const parsed = keySet.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = [place, ...(issue?.path ?? [])].map(String).join(".");
    throw new Refusal(400, `${path}: ${issue?.message ?? "not a JSON Web Key Set"}`);
  }
  for (const [index, key] of parsed.data.keys.entries()) {
    const at = `${place}.keys.${index}`;
    if (key.kty === "oct") throw new Refusal(400, `${at}: a shared secret is no public key`);
    if ("d" in key)
      throw new Refusal(400, `${at}: this is a private key, of which only the public part is wanted`);
    if (!isPublicKey(key)) throw new Refusal(400, `${at}: its parts are no key of kty ${key.kty}`);
  }
}

function isPublicKey(key: object): boolean {
  try {
    createPublicKey({ key: { ...key }, format: "jwk" });
    return true;
  } catch {
    return false;
  }
}

export const thirdPartyAuthHandlers = {
  listThirdPartyAuth,
  createThirdPartyAuth,
  getThirdPartyAuth,
  deleteThirdPartyAuth,
};
