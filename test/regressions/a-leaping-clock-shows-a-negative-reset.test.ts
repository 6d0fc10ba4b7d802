import { RateLimits } from "../../emulator/server/rate-limits";

it("shows the rest of the window that counts a call, whenever the clock leaps", () => {
  let now = 0;
  // A machine that is held up has a clock that leaps between any two looks at it.
  const limits = new RateLimits({ now: () => (now += 35_000) });
  const endpoint = { name: "getHealth", stricterLimits: [{ limit: 10, windowMs: 1_000 }] };
  for (let call = 0; call < 6; call += 1) {
    for (const headers of [
      limits.take("someone", "project", endpoint).headers,
      limits.take("someone", "project").headers,
      limits.exhausted("someone", "project", endpoint),
    ]) {
      const reset = Number(headers["x-ratelimit-reset"]);
      expect(reset).toBeGreaterThan(0);
      expect(reset).toBeLessThanOrEqual(60);
    }
  }
});
