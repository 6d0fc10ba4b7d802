import { ManagementClient } from "../../../provider/client";
import { InvalidInputError, isAmbiguous } from "../../../provider/client/errors/errors";
import type { Scene } from "../../../tools/fuzz/operations/sample";
import { type Stage, startStage } from "../../../tools/fuzz/operations/scene";
import { failureOf } from "./setup";

let stage: Stage;
let scene: Scene;
let client: ManagementClient;
beforeAll(async () => {
  stage = await startStage();
});
beforeEach(() => {
  scene = stage.fresh();
  scene.control.clearCalls();
});
afterEach(() => client.close());
afterAll(() => stage.close());

function connect(expectedAccount: string): void {
  const { url: baseUrl, accessToken } = scene.emulator;
  client = new ManagementClient({ baseUrl, accessToken, expectedAccount });
}

const rename = (name: string): Promise<unknown> => client.updateProject({ ref: scene.ref, body: { name } });
const called = (): (string | undefined)[] => scene.control.calls().map(({ operation }) => operation);

it.each([
  ["username", "owner"],
  ["primary email in another case", "Owner@Example.com"],
])("writes with a token of the expected account, named by its %s, and asks once", async (_, expected) => {
  connect(expected);
  await Promise.all([rename("first"), rename("second")]);
  await rename("third");
  expect(called().filter((name) => name === "getProfile")).toHaveLength(1);
  expect(called()[0]).toBe("getProfile");
});

it("refuses every write of another account before it is sent, and no read", async () => {
  connect("somebody-else");
  await client.getProject({ ref: scene.ref });
  for (const name of ["first", "second"]) {
    const failure = await failureOf(rename(name));
    expect(failure).toBeInstanceOf(InvalidInputError);
    expect(failure.message).toContain(
      "The access token belongs to the account owner, not to somebody-else, so nothing was written",
    );
  }
  expect(called()).toEqual(["getProject", "getProfile"]);
});

it("refuses writes where the installation does not say whose token it is", async () => {
  scene.control.set("newerOperationsOffered", false);
  connect("owner");
  const failure = await failureOf(rename("first"));
  expect(failure).toBeInstanceOf(InvalidInputError);
  expect(failure.message).toContain("unset `management:expectedAccount` if the installation");
  expect(failure.message).toContain("This installation does not have the operation getProfile");
  expect(called()).toEqual(["getProfile"]);
});

it("does not make a write look as if it might have been sent, and asks again with the next one", async () => {
  scene.control.addFault({ operation: "getProfile", status: 500, times: 100 });
  connect("owner");
  const failure = await failureOf(client.updateProject({ ref: scene.ref, body: { name: "first" } }));
  expect(isAmbiguous(failure)).toBe(false);
  expect(called()).not.toContain("updateProject");
  scene.control.clearFaults();
  await rename("second");
  expect(called()).toContain("updateProject");
});
