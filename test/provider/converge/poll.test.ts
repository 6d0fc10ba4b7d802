import { isSoon, waitForAll } from "./waiting-cases";

it("sees half of what settles within 5 % of its time or two seconds, with at most 20 looks a minute", async () => {
  const cases = await waitForAll(300);
  expect(cases.filter(isSoon).length).toBeGreaterThanOrEqual(150);
  expect(Math.max(...cases.map(({ mostAMinute }) => mostAMinute))).toBeLessThanOrEqual(20);
  for (const settled of ["short", "middling", "long"].map((_, third) =>
    cases.slice(third * 100, third * 100 + 100),
  ))
    expect(settled.filter(isSoon).length).toBeGreaterThanOrEqual(50);
});
