import * as pulumi from "@pulumi/pulumi";
import { Secret } from "../../../provider/index";
import { pauseStackTraces } from "../../../provider/dynamic/managed-resource";

const args = { projectRef: "abcdefghijklmnopqrst", name: "API_URL", value: "https://example.com" };

describe("a resource of a program", () => {
  const limit = Error.stackTraceLimit;

  beforeAll(() =>
    pulumi.runtime.setMocks({
      newResource: ({ name, inputs }) => ({ id: name, state: inputs as object }),
      call: () => ({}),
    }),
  );

  it("takes one stack trace, of where the program makes it, and none for each property", () => {
    const traces: (readonly unknown[])[] = [];
    const restore = replaced(Error, "prepareStackTrace", (_: Error, frames: readonly unknown[]) => {
      if (frames.length > 0) traces.push(frames);
      return "";
    });
    new Secret("url", args);
    restore();
    expect(traces).toHaveLength(1);
    expect(String(traces[0])).toContain("managed-resource.test.ts");
    expect(Error.stackTraceLimit).toBe(limit);
  });

  it("that cannot be made shows where the program makes it", () => {
    const made = (): Secret => new Secret("", args);
    expect(made).toThrow("Missing resource name argument");
    const error = thrownBy(made);
    expect(error.stack).toContain("managed-resource.test.ts");
    expect(Error.stackTraceLimit).toBe(limit);
  });

  it("keeps the stack traces for whoever looks for leaked promises", () => {
    process.env["PULUMI_DEBUG_PROMISE_LEAKS"] = "1";
    try {
      const resume = pauseStackTraces();
      expect(Error.stackTraceLimit).toBe(limit);
      resume();
    } finally {
      delete process.env["PULUMI_DEBUG_PROMISE_LEAKS"];
    }
  });
});

function replaced(owner: object, name: string, value: unknown): () => void {
  const before: unknown = Reflect.get(owner, name);
  Reflect.set(owner, name, value);
  return () => Reflect.set(owner, name, before);
}

function thrownBy(construct: () => unknown): Error {
  try {
    construct();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("nothing was thrown");
}
