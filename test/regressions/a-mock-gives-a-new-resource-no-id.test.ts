import * as pulumi from "@pulumi/pulumi";
import { createMocks } from "../../emulator/testing";
import { Branch } from "../../provider";

// Pulumi's SDK passes an empty id for a resource that is made, and the mock gave it back: `ref` and `id` were unknown.
test("the mocks of the emulator's package give a new resource its id, and with it its ref", async () => {
  await pulumi.runtime.setMocks(createMocks(), "shop", "test");
  const preview = new Branch("preview", { projectRef: "abcdefghijklmnopqrst", name: "pr-42" });
  const valueOf = <T>(output: pulumi.Output<T>): Promise<T> =>
    new Promise((resolve) => output.apply(resolve));
  expect([await valueOf(preview.id), await valueOf(preview.ref)]).toEqual(["preview-id", "preview-id"]);
});
