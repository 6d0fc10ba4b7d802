import type { SettledResource } from "../../provider/engine/create/create";
import type { Values } from "../../provider/define/values";
import type { Managed, Scenario } from "../kit/scenario";

/** The identifier that an error of an unclear create says to add; throws where it says none. */
export function adoptIdIn(message: string): string {
  const [, id] = /outcome of the create at .*`adoptId: "([^"]+)"`/s.exec(message) ?? [];
  if (id === undefined) throw new Error(`no identifier is told: ${message}`);
  return id;
}

/** A create that is refused because nothing proves what it made, and the next run, which does what the error says. */
export async function createdAsAdvised(
  scenario: Pick<Scenario, "nextRun">,
  managed: Managed,
  inputs: Values,
): Promise<SettledResource> {
  const refusal = await managed.create(inputs).then(
    () => "",
    (error: unknown) => String(error),
  );
  scenario.nextRun();
  return managed.create({ ...inputs, adoptId: adoptIdIn(refusal) });
}
