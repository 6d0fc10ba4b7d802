import type { Emulator } from "../../emulator";

/** Publishes the records that the service asks for, as a DNS provider does. */
export function publishRecords({ emulator }: { readonly emulator: Emulator }, ref: string): void {
  const { data } = emulator.control.call("getCustomHostname", { ref });
  const { ownership_verification: owner, ssl } = data.result;
  emulator.control.edit(({ dnsTxt }) => {
    // Blank once the service has seen it.
    if (owner.name !== "") dnsTxt.set(owner.name, [owner.value]);
    for (const record of ssl.validation_records) dnsTxt.set(record.txt_name, [record.txt_value]);
  });
}

/** Publishes the records of every hostname as soon as there is one, until the returned function is called. */
export function serveDns({ emulator }: { readonly emulator: Emulator }): () => void {
  const timer = setInterval(() => {
    for (const [ref, { customHostname }] of emulator.world.state.projects) {
      if (customHostname !== null) publishRecords({ emulator }, ref);
    }
  }, 50);
  return () => clearInterval(timer);
}
