import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseNames } from "../../../spec/names/read-names";

const page = readFileSync(join(__dirname, "../../../docs/names.md"), "utf8");
const [, example = ""] = /^```json\n(.*?)^```$/ms.exec(page) ?? [];

it("the example of the page on names is a names file that is taken", () => {
  expect(parseNames(example)).toHaveProperty("toWire");
});

it("the fault that the page shows is told of the example with that fault", () => {
  const wrong = example.replace('"sms_vendorA_": "sms_pigeo_"', '"external_idp02_": "external_acme-login_"');
  const [, shown = ""] = /is refused: (line .*?)\. Correct it/s.exec(page) ?? [];
  const found = parseNames(wrong);
  expect("toWire" in found ? [] : found.map(({ line, reason }) => `line ${line}: ${reason}`)).toEqual([
    shown.replaceAll("\n", " "),
  ]);
});
