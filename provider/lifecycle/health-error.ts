import { z } from "zod";

const wrapped = z.union([
  z.object({ error: z.string().min(1) }).transform(({ error }) => error),
  z.object({ message: z.string().min(1) }).transform(({ message }) => message),
]);

/** What a service says is wrong with it: the text within JSON such as `{"error":"not found"}`, else the text itself. */
export function healthErrorText(error: string): string {
  try {
    return wrapped.safeParse(JSON.parse(error)).data ?? error;
  } catch {
    return error;
  }
}
