import { StatusReporter, type StatusLine } from "../../provider/process/status-reporter";
import type { Values } from "../../provider/define/values";
import { startPluginProcess } from "../kit/plugin-process";
import { startProviderProcess } from "../kit/provider-process";
import { startScenario, type Scenario } from "../kit/scenario";

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

const PROJECT: Values = {
  name: "shop",
  organizationSlug: "hobby",
  dbPass: "first-password",
  region: "eu-central-1",
};

/** What the display shows on a row once its step is done: the last line that it got. */
function lastOn(urn: string, lines: readonly StatusLine[]): StatusLine | undefined {
  return lines.filter((line) => line.urn === urn).at(-1);
}

const NOTHING = { message: "", isEphemeral: true, severity: "info" };

describe.each([
  ["plugin", startPluginProcess],
  ["dynamic provider", startProviderProcess],
] as const)("through the %s", (_, start) => {
  it("the row shows nothing once a step that told its progress has answered", async () => {
    const process = await start(scenario, "Project");
    const shown = (): readonly StatusLine[] => ("rows" in process ? process.rows : process.shown);
    const urn = "urn" in process ? process.urn : "";
    try {
      const { inputs } = await process.check(PROJECT);
      const made = await process.create(inputs);
      expect(shown().map(({ message }) => message)).toContainEqual(expect.stringContaining("waiting for"));
      expect(lastOn(urn, shown())).toMatchObject(NOTHING);

      const before = shown().length;
      await process.read(made);
      // A step without progress leaves the row as it is.
      expect(shown()).toHaveLength(before);

      const paused = await process.check({ ...PROJECT, paused: true });
      const updated = await process.update(made, paused.inputs);
      expect(shown().length).toBeGreaterThan(before);
      expect(lastOn(urn, shown())).toMatchObject(NOTHING);
      await process.delete(updated);
      expect(lastOn(urn, shown())).toMatchObject(NOTHING);
    } finally {
      await process.close();
    }
  });

  it("so it does when the step fails", async () => {
    const process = await start(scenario, "Project");
    const shown = (): readonly StatusLine[] => ("rows" in process ? process.rows : process.shown);
    try {
      const { inputs } = await process.check(PROJECT);
      scenario.emulator.control.addFault({ operation: "getHealth", status: 403, times: 50 });
      await expect(process.create(inputs)).rejects.toThrow();
      expect(shown().length).toBeGreaterThan(1);
      expect(lastOn("urn" in process ? process.urn : "", shown())).toMatchObject(NOTHING);
    } finally {
      await process.close();
    }
  });
});

it("a warning that came after the progress stays, as it is true", async () => {
  const sent: StatusLine[] = [];
  const lines = new StatusReporter(record(sent), (text) => text);
  const step = lines.open("urn:one");
  step.progress("waiting");
  step.warn("look at it");
  await step.end();
  expect(sent.map(({ message }) => message)).toEqual(["waiting", "look at it"]);
});

it("where steps share a row, it goes back to one that is still under way, and is empty after the last", async () => {
  const sent: StatusLine[] = [];
  const lines = new StatusReporter(record(sent), (text) => text);
  const [one, other] = [lines.open(), lines.open()];
  one.progress("waiting", "Project one");
  other.progress("waiting", "Project other");
  await other.end();
  expect(sent.at(-1)?.message).toBe("Project one: waiting");
  await one.end();
  expect(sent.at(-1)).toMatchObject(NOTHING);
});

it("lines reach the engine in the order in which they were told, whatever each takes, and a lost one holds up none", async () => {
  const sent: string[] = [];
  const { promise: held, resolve } = Promise.withResolvers<undefined>();
  const lines = new StatusReporter(
    async ({ message }) => {
      if (message === "first") await held;
      if (message === "lost") throw new Error("no engine");
      sent.push(message);
    },
    (text) => text,
  );
  const step = lines.open("urn:one");
  for (const message of ["first", "lost", "second"]) step.progress(message);
  const ended = step.end();
  resolve(undefined);
  await ended;
  expect(sent).toEqual(["first", "second", ""]);
});

it("no line tells a secret", async () => {
  const sent: StatusLine[] = [];
  const lines = new StatusReporter(record(sent), (text) => text.replaceAll("hush", "[secret]"));
  const step = lines.open();
  step.progress("waiting for hush", "Project hush");
  step.info("hush");
  step.warn("hush");
  await step.end();
  expect(JSON.stringify(sent)).not.toContain("hush");
});

function record(sent: StatusLine[]): (line: StatusLine) => Promise<void> {
  return (line) => {
    sent.push(line);
    return Promise.resolve();
  };
}
