import type { z } from "zod";
import type { postgresEngine } from "../../../../spec/shared-fields";
import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import { releaseChannel } from "../../../../spec/shared-fields";
import type { DatabaseImage, ReleaseChannel } from "../../world/records/project";

export type Engine = z.infer<typeof postgresEngine>;

export type RestorableEngine = OperationAnswer<
  Operations["listRestoreVersions"]
>["available_versions"][number]["postgres_engine"];
type Versions = Readonly<{ ga: string } & Partial<Record<ReleaseChannel, string>>>;

/** The image that each release channel has of an engine; a channel that is not named has the one of `ga`. */
const versions: Readonly<Record<RestorableEngine, Versions>> = {
  "13": { ga: "13.21.1.004" },
  "14": { withdrawn: "14.17.1.002", ga: "14.18.1.004" },
  "15": { withdrawn: "15.8.1.040", ga: "15.8.1.085", beta: "15.8.1.121", internal: "15.8.1.130" },
  "17": {
    withdrawn: "17.4.1.002",
    ga: "17.6.1.011",
    beta: "17.6.1.016",
    alpha: "17.6.1.021",
    preview: "17.6.1.024",
    internal: "17.6.1.030",
  },
  "17-oriole": { ga: "17.6.1.011-orioledb", alpha: "17.6.1.021-orioledb" },
};

/** Engines that an upgrade can lead to, oldest first: another storage engine is chosen at creation only. */
const upgradePath: readonly Engine[] = ["15", "17"];

export function imageOf(engine: Engine, releaseChannel: ReleaseChannel): DatabaseImage {
  return { engine, version: versions[engine][releaseChannel] ?? versions[engine].ga, releaseChannel };
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

/** What can be installed in place of `current`: its engine from its version up, of the channels given, oldest first. */
export function restorableImages(
  current: DatabaseImage,
  channels: readonly ReleaseChannel[],
): readonly DatabaseImage[] {
  const { engine } = current;
  // The engine of a record is any text; one that is not in the table has no images.
  const own: Partial<Versions> = engine in versions ? versions[engine as RestorableEngine] : {};
  const offered = releaseChannel.options
    .filter((channel) => channel !== "withdrawn" && channels.includes(channel))
    .flatMap((channel) => {
      const version = own[channel];
      return version === undefined ? [] : [{ engine, version, releaseChannel: channel }];
    });
  return offered
    .filter(({ version }) => byVersion(version, current.version) >= 0)
    .sort((left, right) => byVersion(left.version, right.version));
}

/** Compares versions number by number. */
function byVersion(left: string, right: string): number {
  return left.localeCompare(right, "en", { numeric: true });
}
