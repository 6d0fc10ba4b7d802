import type { z } from "zod";
import type { postgresEngine } from "../../spec/shared-fields";
import type { DatabaseImage, ReleaseChannel } from "./records/project";

export type Engine = z.infer<typeof postgresEngine>;

/** The image that the service installs of each engine. */
const versions: Readonly<Record<Engine, string>> = {
  "15": "15.8.1.085",
  "17": "17.6.1.011",
  "17-oriole": "17.6.1.011-orioledb",
};

/** Engines that an upgrade can lead to, oldest first: another storage engine is chosen at creation only. */
const upgradePath: readonly Engine[] = ["15", "17"];

export function imageOf(engine: Engine, releaseChannel: ReleaseChannel): DatabaseImage {
  return { engine, version: versions[engine], releaseChannel };
}

export function majorOf(engine: string): number {
  return Number.parseInt(engine, 10);
}

/** The engines greater than the one that runs. */
export function enginesAbove({ engine }: DatabaseImage): readonly Engine[] {
  return engine.includes("-") ? [] : upgradePath.filter((target) => majorOf(target) > majorOf(engine));
}

/** As the upgrade endpoints spell an image's version. */
export function appVersion(version: string): string {
  return `postgres-${version}`;
}
