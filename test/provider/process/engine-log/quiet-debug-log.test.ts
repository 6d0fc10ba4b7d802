import { dirname } from "node:path";
import { omitValues } from "../../../../provider/process/engine-log/quiet-debug-log";
import { debugLinesOf, VALUE_IN_CLEAR } from "../../../kit/sdk-debug-lines";

const lines = debugLinesOf(dirname(require.resolve("@pulumi/pulumi/package.json")));

it("the SDK logs what it answers, and what it is asked, in more than one way", () => {
  const kinds = ["RegisterResource", "ReadResource", "getResource Invoke", "Invoke", "Call"];
  for (const kind of kinds) {
    const found = lines.filter(({ logged }) => logged.startsWith(`${kind} RPC finished`));
    expect([kind, found.some(({ logged }) => logged.includes(VALUE_IN_CLEAR))]).toEqual([kind, true]);
  }
  expect(lines.filter(({ logged }) => logged === `, obj=${VALUE_IN_CLEAR}`)).toHaveLength(2);
});

it("no line of the SDK has a value of ours in clear", () => {
  expect(lines.filter(({ logged }) => omitValues(logged).includes(VALUE_IN_CLEAR))).toEqual([]);
});

it.each([
  `ReadResource RPC finished: resource:shop/prod[pulumi:pulumi:StackReference]#...; err: null, resp: ${VALUE_IN_CLEAR}`,
  `Invoke RPC finished: tok=pulumi:pulumi:readStackOutputs; err: null, resp: ,,${VALUE_IN_CLEAR}`,
  `getResource Invoke RPC finished: err: null, resp: ,,urn:pulumi:dev::shop::pulumi:pulumi:StackReference::prod,,${VALUE_IN_CLEAR}`,
])("no line about another stack has its outputs: %s", (line) => {
  expect(omitValues(line)).not.toContain(VALUE_IN_CLEAR);
});

it.each([
  "RegisterResource RPC finished: resource:b[aws:s3:Bucket]#...; err: null, resp: urn:pulumi:pulumi::pulumi::aws:s3:Bucket::b",
  "ReadResource RPC finished: resource:b[aws:s3:Bucket]#...; err: null, resp: public",
  "Invoke RPC finished: tok=aws:s3:getBucket; err: null, resp: public",
  "Registering resource: t=management:index:ApiKey, name=backend, custom=true, remote=false",
  "Resource RPC serialization requested: resource:a[management:index:ApiKey] is current",
])("logs everything else as before: %s", (line) => {
  expect(omitValues(line)).toBe(line);
});

it("is not misled by a name that ends the line's head early", () => {
  const line = `ReadResource RPC finished: resource:a, resp: [management:index:ApiKey]; err: null, resp: ${VALUE_IN_CLEAR}`;
  expect(omitValues(line)).not.toContain(VALUE_IN_CLEAR);
});
