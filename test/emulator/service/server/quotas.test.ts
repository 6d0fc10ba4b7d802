import { startStage, type Stage } from "../../../../tools/fuzz/operations/scene";
import { limitsOf, textWith } from "./tiny-service";

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const gp3 = (size_gb: number): object => ({ attributes: { type: "gp3", size_gb, iops: 3_000 } });
const compute = (addon_variant: string): object => ({ addon_type: "compute_instance", addon_variant });

// service, Limits: a 429 with calls left in the window is a quota, which does not end with the window.
it.each([
  ["a disk", "POST", "config/disk", gp3(20), gp3(30), "once per four hours"],
  [
    "an add-on",
    "PATCH",
    "billing/addons",
    compute("ci_small"),
    compute("ci_large"),
    "still processing addon changes",
  ],
])(
  "%s that is changed again too early is refused with calls left, and no time to wait",
  async (_, method, path, first, second, said) => {
    const { emulator, ref } = stage.fresh();
    const send = (body: object): Promise<Response> =>
      fetch(`${emulator.url}/v1/projects/${ref}/${path}`, {
        method,
        headers: { authorization: `Bearer ${emulator.accessToken}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    expect((await send(first)).ok).toBe(true);
    const refused = await send(second);
    expect(refused.status).toBe(429);
    expect(limitsOf(refused)).toEqual({ limit: 120, remaining: 118, reset: 60 });
    expect(refused.headers.get("retry-after")).toBeNull();
    expect(await refused.json()).toEqual({ message: textWith(said) });
  },
);
