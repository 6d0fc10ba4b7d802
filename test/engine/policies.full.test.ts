import { PROVISIONING_TIMEOUT_MS } from "./harness";
import { expectPolicy } from "./policy-pack";
import { PRELUDE, startStack } from "./stack";

test.each([
  ["secret", "stops"],
  ["publishable", "passes"],
] as const)(
  "a mandatory policy for the class, with a %s key: it %s",
  async (type, verdict) => {
    const stack = await startStack(
      `${PRELUDE}new management.ApiKey("key", { projectRef: "abcdefghijklmnopqrst", type: "${type}", name: "backend" });`,
    );
    try {
      await expectPolicy(stack, "pulumi-management", verdict);
    } finally {
      await stack.dispose();
    }
  },
  PROVISIONING_TIMEOUT_MS,
);
