import * as pulumi from "@pulumi/pulumi";
import * as management from "../../provider";

const REF = "abcdefghijklmnopqrst";

/** What a user's unit test does; nothing listens anywhere. */
describe("the functions in a program's unit test with Pulumi's mocks", () => {
  let asked: { token: string; inputs: unknown }[];
  beforeEach(async () => {
    asked = [];
    await pulumi.runtime.setMocks({
      newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs as object }),
      call: ({ token, inputs }) => {
        asked.push({ token, inputs: inputs as unknown });
        if (token === "management:index:getApiKeys")
          return { apiKeys: [{ name: "anon", apiKey: "mocked-key" }] };
        if (token === "management:index:getProject") return { ref: REF, name: "mocked" };
        throw new Error(`nothing is mocked for ${token}`);
      },
    });
  });

  const promiseOf = <T>(output: pulumi.Output<T>): Promise<T> =>
    new Promise((resolve) => {
      output.apply(resolve);
    });

  it("are answered by the mocks, by token and arguments", async () => {
    expect(await management.getProject({ ref: "any-id-of-a-mock" })).toEqual({ ref: REF, name: "mocked" });
    expect(asked).toEqual([{ token: "management:index:getProject", inputs: { ref: "any-id-of-a-mock" } }]);
  });

  it("wait for their arguments as outputs, a resource's own among them", async () => {
    const project = new management.Project("app", { name: "app", organizationSlug: "acme", dbPass: "pass" });
    const found = management.getProjectOutput({ ref: project.ref });
    expect(await promiseOf(found.name)).toBe("mocked");
    expect(asked.map(({ inputs }) => inputs)).toEqual([{ ref: "app-id" }]);
  });

  it("keep what is secret a secret", async () => {
    const keys = management.getApiKeysOutput({ projectRef: REF });
    expect(await pulumi.isSecret(keys)).toBe(true);
    const first = keys.apply(({ apiKeys }) => apiKeys[0]?.apiKey);
    expect(await promiseOf(first)).toBe("mocked-key");
    expect(await pulumi.isSecret(first)).toBe(true);
    expect(await pulumi.isSecret(management.getProjectOutput({ ref: REF }))).toBe(false);
  });

  it("fail where the mock throws, and call nothing", async () => {
    await expect(management.getHealth({ projectRef: REF })).rejects.toThrow();
  });
});
