import type { z } from "zod";
import type { smartRegionCode } from "../../../spec/operations/projects";
import type { continent, regionCode } from "../../../spec/shared-fields";

export type RegionCode = z.output<typeof regionCode>;
export type SmartRegionCode = z.output<typeof smartRegionCode>;
export type Continent = z.output<typeof continent>;

export interface Region {
  readonly name: string;
  readonly continent: Continent;
}

/** The regions that exist, those of a continent in the order in which they are recommended. */
export const regions: Readonly<Record<RegionCode, Region>> = {
  "us-east-1": { name: "East US (North Virginia)", continent: "NA" },
  "us-east-2": { name: "East US (Ohio)", continent: "NA" },
  "us-west-1": { name: "West US (North California)", continent: "NA" },
  "us-west-2": { name: "West US (Oregon)", continent: "NA" },
  "ca-central-1": { name: "Canada (Central)", continent: "NA" },
  "sa-east-1": { name: "South America (São Paulo)", continent: "SA" },
  "eu-central-1": { name: "Central Europe (Frankfurt)", continent: "EU" },
  "eu-central-2": { name: "Central Europe (Zurich)", continent: "EU" },
  "eu-west-1": { name: "West Europe (Ireland)", continent: "EU" },
  "eu-west-2": { name: "West Europe (London)", continent: "EU" },
  "eu-west-3": { name: "West Europe (Paris)", continent: "EU" },
  "eu-north-1": { name: "North Europe (Stockholm)", continent: "EU" },
  "ap-southeast-1": { name: "Southeast Asia (Singapore)", continent: "AS" },
  "ap-northeast-1": { name: "Northeast Asia (Tokyo)", continent: "AS" },
  "ap-northeast-2": { name: "Northeast Asia (Seoul)", continent: "AS" },
  "ap-south-1": { name: "South Asia (Mumbai)", continent: "AS" },
  "ap-east-1": { name: "East Asia (Hong Kong)", continent: "AS" },
  "ap-southeast-2": { name: "Oceania (Sydney)", continent: "OC" },
};

export interface RegionGroup {
  readonly name: string;
  readonly continents: readonly Continent[];
  /** The region that the service chooses within the group. */
  readonly chosen: RegionCode;
}

/** The groups in which the service chooses a region. A continent without a region belongs to the nearest group. */
export const groups: Readonly<Record<SmartRegionCode, RegionGroup>> = {
  americas: { name: "Americas", continents: ["NA", "SA", "AN"], chosen: "us-east-1" },
  emea: { name: "Europe, Middle East and Africa", continents: ["EU", "AF"], chosen: "eu-central-1" },
  apac: { name: "Asia-Pacific", continents: ["AS", "OC"], chosen: "ap-southeast-1" },
};
