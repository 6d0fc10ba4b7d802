import { parseEvents, summarize } from "../../tools/engine/engine-events";

const summaryLine = (sequence: number, resourceChanges: Record<string, number>): string =>
  JSON.stringify({ sequence, timestamp: 1, summaryEvent: { resourceChanges } });

test("a log that a kill cut short is read up to the cut", () => {
  const events = parseEvents(
    `{"sequence":0,"timestamp":1,"preludeEvent":{"config":{}}}\n{"sequence":1,"time`,
  );

  expect(events).toHaveLength(1);
  expect(summarize(events)).toEqual({ create: 0, update: 0, delete: 0, replace: 0, same: 0 });
});

test("lines that are no events are left out", () => {
  expect(parseEvents(`warning: something\n42\nnull\n${summaryLine(3, { create: 2 })}\n`)).toHaveLength(1);
});

test("the summary is of the update and not of the preview before it", () => {
  const events = parseEvents(
    [summaryLine(1, { create: 2 }), summaryLine(9, { same: 2, replace: 1 })].join("\n"),
  );

  expect(summarize(events)).toEqual({ create: 0, update: 0, delete: 0, replace: 1, same: 2 });
});
