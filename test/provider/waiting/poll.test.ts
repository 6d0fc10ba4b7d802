import { isSoon, waitForAll } from "../../kit/waiting-cases";

it("sees half of what settles within 5 % of its time or two seconds, with at most 20 looks a minute", async () => {
  const cases = await waitForAll(300);
  expect(cases.filter(isSoon).length).toBeGreaterThanOrEqual(150);
  expect(Math.max(...cases.map(({ mostAMinute }) => mostAMinute))).toBeLessThanOrEqual(20);
  for (const from of [0, 100, 200])
    expect(cases.slice(from, from + 100).filter(isSoon).length).toBeGreaterThanOrEqual(50);
});
