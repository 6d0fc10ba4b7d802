import { NotFoundError, ResponseSchemaError } from "../../../client/errors/errors";
import { quoteServiceMessage, replaceMessage } from "../../../client/errors/with-message";
import type { Api, Context } from "../../../define/context";
import { OwnerExistsError } from "../../../lookup/owner";
import { problems } from "./problems";

/** A log drain as the service shows it. */
export type LogDrainRecord = Awaited<ReturnType<Api["listLogDrains"]>>[number];
type CreateBody = Parameters<Api["createLogDrain"]>[0]["body"];
export type CreateAttributes = CreateBody["data"]["attributes"];
type UpdateBody = Parameters<Api["updateLogDrain"]>[0]["body"];
export type UpdateAttributes = UpdateBody["data"]["attributes"];

const listKey = (ref: string): string => `log-drains:${ref}`;

/** A project's log drains by id: one listing for all resources of a run, until one of them is changed. */
export async function listLogDrainsOnce(
  ctx: Context,
  ref: string,
): Promise<ReadonlyMap<string, LogDrainRecord>> {
  return ctx.shared.list(listKey(ref), async () => {
    try {
      const listed = await ctx.api.listLogDrains({ ref });
      return new Map(listed.map((each) => [each.id, each]));
    } catch (error) {
      if (!(error instanceof OwnerExistsError)) throw error;
      const values = { ref, answer: quoteServiceMessage(error) };
      throw replaceMessage(error, problems.notServed.message(values));
    }
  });
}

/** The identifier of the new log drain. */
export async function createLogDrain(
  ctx: Context,
  ref: string,
  attributes: CreateAttributes,
): Promise<string> {
  const body: CreateBody = { data: { type: "log_drain", attributes } };
  const { data } = await change(ctx, ref, () => ctx.api.createLogDrain({ ref, body }));
  if (data != null) return data.id;
  const operation = "createLogDrain";
  throw new ResponseSchemaError(
    `${operation} failed: the answer has no \`data\`. Run again.`,
    operation,
    "data",
  );
}

export async function updateLogDrain(
  ctx: Context,
  ref: string,
  id: string,
  attributes: UpdateAttributes,
): Promise<void> {
  const body: UpdateBody = { data: { type: "log_drain", attributes } };
  await change(ctx, ref, () => ctx.api.updateLogDrain({ ref, id, body }));
}

/** Throws a 404 of the log drain only where a listing is without it too: of a project that the token does not see it says nothing. */
export async function deleteLogDrain(ctx: Context, ref: string, id: string): Promise<void> {
  try {
    await change(ctx, ref, () => ctx.api.deleteLogDrain({ ref, id }));
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const isThere = (await listLogDrainsOnce(ctx, ref)).has(id);
    throw isThere ? replaceMessage(error, problems.stillListed.message({ error: error.message })) : error;
  }
}

/** What was listed before a change is the past, whatever became of the change. */
async function change<T>(ctx: Context, ref: string, send: () => Promise<T>): Promise<T> {
  return send().finally(() => ctx.shared.forget(listKey(ref)));
}
