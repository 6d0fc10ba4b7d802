import { readFileSync } from "node:fs";

/** One line of the engine's event log; exactly one of the optional members is there. */
export interface EngineEvent {
  sequence: number;
  timestamp: number;
  preludeEvent?: { config: Record<string, string> };
  resourcePreEvent?: { metadata: StepMetadata; planning?: boolean };
  resOutputsEvent?: { metadata: StepMetadata; planning?: boolean };
  resOpFailedEvent?: { metadata: StepMetadata; status: number; steps: number };
  diagnosticEvent?: { urn?: string; prefix?: string; message: string; severity: string; ephemeral?: boolean };
  summaryEvent?: {
    maybeCorrupt: boolean;
    durationSeconds: number;
    resourceChanges: Record<string, number>;
    isPreview: boolean;
    result: string;
  };
  errorEvent?: { error: string };
  cancelEvent?: object;
}

export interface StepMetadata {
  op: string;
  urn: string;
  type: string;
  old?: StepState | null;
  new?: StepState | null;
  keys?: string[] | null;
  diffs?: string[] | null;
  detailedDiff?: Record<string, { diffKind: string; inputDiff: boolean }> | null;
  logical?: boolean;
  provider: string;
}

export interface StepState {
  type: string;
  urn: string;
  id: string;
  custom?: boolean;
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
  initErrors?: string[];
}

/** What the engine counts at the end of an operation; a preview's counts are of what it would do. */
export interface ChangeSummary {
  create: number;
  update: number;
  delete: number;
  replace: number;
  same: number;
}

/** Reads one event per line; a last line that was cut short, by a kill for instance, is left out. */
export function parseEvents(text: string): EngineEvent[] {
  return text.split("\n").flatMap((line): EngineEvent[] => {
    try {
      const value: unknown = JSON.parse(line);
      return isEvent(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

export function readEventLog(file: string): EngineEvent[] {
  try {
    return parseEvents(readFileSync(file, "utf8"));
  } catch {
    // An operation that is refused before it starts writes no log.
    return [];
  }
}

/** The counts of the last summary: without --skip-preview the preview's summary comes before. */
export function summarize(events: readonly EngineEvent[]): ChangeSummary {
  const changes =
    events.findLast((event) => event.summaryEvent !== undefined)?.summaryEvent?.resourceChanges ?? {};
  const count = (op: string): number => changes[op] ?? 0;
  return {
    create: count("create"),
    update: count("update"),
    delete: count("delete"),
    replace: count("replace"),
    same: count("same"),
  };
}

function isEvent(value: unknown): value is EngineEvent {
  return typeof value === "object" && value !== null && "sequence" in value && "timestamp" in value;
}
