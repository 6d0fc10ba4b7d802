import type { Scenario } from "../scenario";

/** As a DNS provider does with the records that the service asks for. */
export function publishRecords({ emulator }: Scenario, ref: string): void {
  const { data } = emulator.control.call("getCustomHostname", { ref });
  const { ownership_verification: owner, ssl } = data.result;
  emulator.control.edit(({ dnsTxt }) => {
    dnsTxt.set(owner.name, [owner.value]);
    for (const record of ssl.validation_records) dnsTxt.set(record.txt_name, [record.txt_value]);
  });
}
