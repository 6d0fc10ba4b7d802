import { waitThroughStates, trackRestore } from "../../../provider/waiting/project-state";
import type { Context } from "../../../provider/define/context";
import { bareContext } from "../../kit/bare-context";

const ref = "abcdefghijklmnopqrst";

/** The project is in these states, one at each look; `at` is told of a look before it is answered. */
function showing(statuses: readonly string[], at: (look: number) => void = () => undefined) {
  let looks = 0;
  const bare = bareContext();
  const getProject = (): Promise<unknown> => {
    looks += 1;
    at(looks);
    return Promise.resolve({ ref, status: statuses[Math.min(looks, statuses.length) - 1] });
  };
  // Only this operation is called.
  const ctx: Context = { ...bare, api: { ...bare.api, getProject } as unknown as Context["api"] };
  return { ctx, looks: () => looks };
}

describe("a paused project", () => {
  it("is waited for where the step that restores it begins after the first look", async () => {
    let restored = (): void => undefined;
    const restoring = new Promise<void>((resolve) => {
      restored = resolve;
    });
    const { ctx, looks } = showing(
      ["INACTIVE", "INACTIVE", "INACTIVE", "RESTORING", "ACTIVE_HEALTHY"],
      (look) => {
        if (look === 2) void trackRestore(ctx, ref, () => restoring);
        if (look === 5) restored();
      },
    );
    expect(await waitThroughStates(ctx, ref)).toBe(true);
    expect(looks()).toBe(5);
  });

  it("is an error at the second look where nothing restores it", async () => {
    const { ctx, looks } = showing(["INACTIVE"]);
    await expect(waitThroughStates(ctx, ref)).rejects.toThrow("is paused (INACTIVE)");
    expect(looks()).toBe(2);
  });
});
