import { readFileSync } from "node:fs";
// The type alone: loading the Automation API takes a second.
import type { EngineEvent } from "@pulumi/pulumi/automation";

/** What the engine counts at the end of an operation; a preview's counts are of what it would do. */
export type ChangeSummary = Record<"create" | "update" | "delete" | "replace" | "same", number>;

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
  const summary = events.findLast(({ summaryEvent }) => summaryEvent !== undefined)?.summaryEvent;
  const {
    create = 0,
    update = 0,
    delete: deleted = 0,
    replace = 0,
    same = 0,
  } = summary?.resourceChanges ?? {};
  return { create, update, delete: deleted, replace, same };
}

function isEvent(value: unknown): value is EngineEvent {
  return typeof value === "object" && value !== null && "sequence" in value && "timestamp" in value;
}
