import { z } from "zod";
import { ORGANIZATION_SLUG } from "../../../../spec/organization-slug";
import { escapeHidden, showName } from "../../../../spec/shown-text";
import {
  ApiError,
  ForbiddenError,
  InvalidInputError,
  ResponseSchemaError,
  isAmbiguous,
  isNotFound,
  isTransient,
  isUnrouted,
} from "../../../client/errors/errors";
import { quoteServiceMessage, replaceMessage } from "../../../client/errors/with-message";
import { requireConfirmed } from "../../../define/consent";
import type { Api, Context } from "../../../define/context";
import { poll } from "../../../waiting/poll";
import { writeOnce } from "../../../waiting/write-once";
import { problems } from "./problems";

/** What the state has of a project that its program has moved. No program sees it. */
export const transferBookkeeping = z.object({
  /** The fingerprint by which the last transfer was confirmed: it counts once. */
  __transferred: z.string().optional(),
});

/** The same within a state, or within what a run that died has kept; it may hold anything. */
export function readTransferred(values: object): string | undefined {
  return transferBookkeeping.catch({}).parse(values).__transferred;
}

/** What goes along with the outputs. */
export function toBookkeeping(transferred: string | undefined): object {
  return { __transferred: transferred };
}

/** A move of a project to another organization, as its program asks for it. */
interface TransferRequest {
  readonly ref: string;
  /** Slug of the organization that gets the project. */
  readonly to: string;
  /** By the state, its present organization; the service's word counts before it. */
  readonly known: string | undefined;
  /** The consent that the program gives. */
  readonly confirm: string | undefined;
  /** A consent that the state has already, used or not: it counts no longer. */
  readonly earlier: string | undefined;
}

/** A transfer that the program has consented to and that is not sent yet. */
export interface Transfer extends TransferRequest {
  readonly from: string;
}

type TransferBody = Parameters<Api["transferProject"]>[0]["body"];

/** What the service says of a transfer. */
interface Note {
  readonly key?: string | null | undefined;
  readonly message?: string | null | undefined;
}

/**
 * Asks for the service's preview of the transfer, and refuses it unless the program names the very same by its fingerprint. Undefined
 * where the project belongs to the organization already, as after a run that was killed: nothing is to be sent.
 */
export async function requireTransferConsent(
  ctx: Context,
  request: TransferRequest,
): Promise<Transfer | undefined> {
  const { ref, to, confirm, earlier } = request;
  const { organization_slug: present } = await ctx.api.getProject({ ref });
  if (present === to) return undefined;
  const from =
    [present, request.known].find((slug) => slug != null && ORGANIZATION_SLUG.test(slug)) ?? "unknown";
  const answer = await ctx.api.checkProjectTransfer({ ref, body: toBody(to) }).catch((error: unknown) => {
    throw explainRefusal({ ref, from, to }, error);
  });
  const preview = answer.data?.attributes;
  // An answer of another form is no preview that anybody could consent to.
  if (preview == null) throw createNoPreviewError();
  const errors = formatNotes("error", preview.errors);
  if (!preview.valid || errors.length > 0) {
    const why = errors.length === 0 ? "it gives no reason" : errors.join("; ");
    throw new InvalidInputError(
      "organizationSlug",
      problems.transferNotValid.message({ ref, from, to, why }),
    );
  }
  const lines = [
    `project ${ref} from ${from} to ${to}`,
    "valid: yes",
    ...(preview.warnings == null ? ["warnings: not said"] : formatNotes("warning", preview.warnings)),
    ...(preview.info == null ? ["info: not said"] : formatNotes("info", preview.info)),
    // Otherwise a consent that stays in the program would move the project once more, when somebody has moved it back.
    ...(earlier === undefined ? [] : [`after the consent ${earlier}`]),
  ];
  const given =
    confirm === undefined
      ? ""
      : confirm === earlier
        ? ", because `confirm` is a consent that no longer counts"
        : ", because `confirm` belongs to another preview";
  requireConfirmed(lines.join("\n"), confirm, (fingerprint) =>
    problems.transferNotConfirmed.message({
      ...{ ref, from, to, given, fingerprint },
      shown: lines.map(shorten).join("\n"),
    }),
  );
  return { ...request, from };
}

function createNoPreviewError(): ResponseSchemaError {
  return new ResponseSchemaError(
    "checkProjectTransfer failed: the answer has no preview. Nothing was changed. Run again.",
    "checkProjectTransfer",
    "data.attributes",
  );
}

/** Sends the transfer once. A run that dies meanwhile leaves in the ledger that the project may have been moved. */
export async function sendTransfer(ctx: Context, transfer: Transfer): Promise<void> {
  const { ref, from, to, confirm, earlier } = transfer;
  ctx.ledger.keep(ref, { __transferred: confirm });
  ctx.progress(`moving the project ${ref} from the organization ${from} to ${to}`);
  try {
    await writeOnce(ctx, {
      send: () => ctx.api.transferProject({ ref, body: toBody(to) }).then(() => true),
      findResult: async () => (["there", "hidden"].includes(await lookUp(ctx, ref, to)) ? true : undefined),
      isPatient: true,
    });
  } catch (error) {
    if (isTransferRefused(error))
      ctx.ledger.keep(ref, earlier === undefined ? {} : { __transferred: earlier });
    throw explainRefusal(transfer, error);
  }
}

/** Whether the answer says that the project was not moved. */
export function isTransferRefused(error: unknown): boolean {
  return error instanceof ApiError && !isAmbiguous(error);
}

/** Looks at a project that is not shown: a service that is behind by a moment shows it again. */
const LOOKS_IN_VAIN = 5;

/** Waits until the project shows its new organization, or is not shown to the access token any more. */
export async function waitUntilMoved(ctx: Context, { ref, to }: Transfer): Promise<void> {
  let looksInVain = 0;
  await poll<Whereabouts, undefined>(ctx, {
    what: `the project ${ref} to belong to the organization ${to}`,
    look: () => lookUp(ctx, ref, to),
    judge(seen) {
      looksInVain = seen === "hidden" ? looksInVain + 1 : 0;
      return seen === "there" || seen === "untold" || looksInVain >= LOOKS_IN_VAIN
        ? { kind: "done", value: undefined }
        : { kind: "waiting", reason: seen === "hidden" ? "it is not shown" : "it belongs to another one" };
    },
    mayPass: isTransient,
  });
}

/** Where a project is that this run has seen elsewhere a moment ago. */
type Whereabouts = "there" | "elsewhere" | "hidden" | "untold";

async function lookUp(ctx: Context, ref: string, to: string): Promise<Whereabouts> {
  try {
    const { organization_slug: slug } = await ctx.api.getProject({ ref });
    return slug == null ? "untold" : slug === to ? "there" : "elsewhere";
  } catch (error) {
    if (error instanceof ForbiddenError || (isNotFound(error) && error.status !== 400)) return "hidden";
    throw error;
  }
}

function toBody(to: string): TransferBody {
  return { data: { type: "project_transfer_input", attributes: { target_organization_slug: to } } };
}

/** One line for each, in an order that the service does not decide. Its texts are of others: each stays on its line. */
function formatNotes(kind: string, notes: readonly Note[]): string[] {
  return notes
    .map(({ key, message }) => `${kind} ${showName(key ?? "")}: ${escapeHidden(message ?? "")}`)
    .sort();
}

/** Longer lines count as a whole and are shown in part. */
const SHOWN_CHARACTERS = 1_000;

function shorten(line: string): string {
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line;
}

/** The error of a refusal that concerns every transfer of the project; any other error as it is. */
function explainRefusal(move: Pick<Transfer, "ref" | "from" | "to">, error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const { ref, from, to } = move;
  const message = findMessage({ ref, from, to, answer: quoteServiceMessage(error) }, error);
  // Never as what is gone: it may be the organization that is not found.
  return message === undefined ? error : replaceMessage(error, message);
}

function findMessage(
  values: Readonly<Record<"ref" | "from" | "to" | "answer", string>>,
  error: ApiError,
): string | undefined {
  if (error.status === 402) return problems.transferNeedsPlan.message(values);
  // As the service names it (service, Transfers).
  if (error.serviceCode === "project_transfer_disabled") return problems.transfersDisabled.message(values);
  if (isUnrouted(error)) return problems.transfersNotServed.message(values);
  return isNotFound(error) ? problems.transferNotFound.message(values) : undefined;
}
