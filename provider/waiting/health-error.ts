import { z } from "zod";
import { jsonIn } from "../client/json-in";

const wrapped = z.union([
  z.object({ error: z.string().min(1) }).transform(({ error }) => error),
  z.object({ message: z.string().min(1) }).transform(({ message }) => message),
]);

/** What a service says is wrong with it: the text within JSON such as `{"error":"not found"}`, else the text itself. */
export function healthErrorText(error: string): string {
  return wrapped.safeParse(jsonIn(error)).data ?? error;
}
