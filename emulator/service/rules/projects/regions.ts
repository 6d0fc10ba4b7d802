import type { z } from "zod";
import type { OperationAnswer } from "../../../../spec/operation";
import { type createProjectBody, smartRegionCode } from "../../../../spec/operations/projects";
import { type continent, instanceSize, regionCode } from "../../../../spec/shared-fields";
import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import type { World } from "../../world/world";
import type { ComputeSize } from "../shared/compute-sizes";
import { Refusal } from "../../answers/refusal";

type RegionCode = z.output<typeof regionCode>;
type SmartRegionCode = z.output<typeof smartRegionCode>;
type Continent = z.output<typeof continent>;

interface Region {
  readonly name: string;
  readonly continent: Continent;
}

/** The regions that exist, those of a continent in the order in which they are recommended. */
const regions: Readonly<Record<RegionCode, Region>> = {
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

interface RegionGroup {
  readonly name: string;
  readonly continents: readonly Continent[];
  /** The region that the service chooses within the group. */
  readonly chosen: RegionCode;
}

/** The groups in which the service chooses a region. A continent without a region belongs to the nearest group. */
const groups: Readonly<Record<SmartRegionCode, RegionGroup>> = {
  americas: { name: "Americas", continents: ["NA", "SA", "AN"], chosen: "us-east-1" },
  emea: { name: "Europe, Middle East and Africa", continents: ["EU", "AF"], chosen: "eu-central-1" },
  apac: { name: "Asia-Pacific", continents: ["AS", "OC"], chosen: "ap-southeast-1" },
};

type CreateProjectBody = z.output<typeof createProjectBody>;
type Regions = OperationAnswer<Operations["getAvailableRegions"]>;
type SpecificOption = Regions["all"]["specific"][number];
type GroupOption = Regions["recommendations"]["smartGroup"];

/** The concrete region of a new project (service, Projects): a group's usual one, or another of it with room. */
export function chooseRegion(
  world: World,
  { region, region_selection: selection, desired_instance_size: size }: CreateProjectBody,
): RegionCode {
  if (region !== undefined && selection !== undefined) {
    throw new Refusal(400, "region: region and region_selection cannot be used together");
  }
  const wanted =
    selection === undefined ? region : selection.type === "specific" ? selection.code : undefined;
  const group = selection?.type === "smartGroup" ? selection.code : "americas";
  const candidates =
    wanted === undefined ? [groups[group].chosen, ...regionsNear(group, undefined)] : [wanted];
  const chosen = candidates.find((code) => !lacksCapacity(world, code, size));
  if (chosen !== undefined) return chosen;
  const place =
    wanted === undefined ? `No region of ${groups[group].name} has` : `The region ${wanted} has no`;
  throw new Refusal(400, `${place} capacity for the size ${size ?? "nano"}`);
}

/** What is there to choose from, and what the service would choose near a continent (service, Projects). */
const getAvailableRegions: Handler<Operations["getAvailableRegions"]> = ({ query, world }) => {
  if (!world.state.organizations.has(query.organization_slug)) {
    throw new Refusal(404, "Organization not found");
  }
  const all = regionCode.options.map((code) => toOption(world, code, query.desired_instance_size));
  const group = groupOf(query.continent);
  const near = regionsNear(group, query.continent);
  return {
    recommendations: {
      smartGroup: toGroupOption(group),
      specific: near.flatMap((code) => all.filter((each) => each.code === code && each.status === undefined)),
    },
    all: { smartGroup: smartRegionCode.options.map(toGroupOption), specific: all },
  };
};

/** Without a hint the group that a project without a region goes to. */
function groupOf(hint: Continent | undefined): SmartRegionCode {
  const found = smartRegionCode.options.find(
    (code) => hint !== undefined && groups[code].continents.includes(hint),
  );
  return found ?? "americas";
}

/** The regions of the continent; of its whole group where it has none or is not given. */
function regionsNear(group: SmartRegionCode, hint: Continent | undefined): RegionCode[] {
  // `Object.keys` forgets that the keys are those of the table.
  const codes = Object.keys(regions) as RegionCode[];
  const onContinent = codes.filter((code) => regions[code].continent === hint);
  const { continents }: RegionGroup = groups[group];
  return onContinent.length > 0
    ? onContinent
    : codes.filter((code) => continents.includes(regions[code].continent));
}

function toOption(world: World, code: RegionCode, size: ComputeSize | undefined): SpecificOption {
  const option: SpecificOption = { name: regions[code].name, code, type: "specific", provider: "AWS" };
  return lacksCapacity(world, code, size) ? { ...option, status: "capacity" } : option;
}

/** A project that names no size gets the smallest one. */
function lacksCapacity({ state }: World, code: RegionCode, size: ComputeSize = "nano"): boolean {
  const fullFrom = state.regionsFullFrom[code];
  const order = instanceSize.options;
  return fullFrom !== undefined && order.indexOf(size) >= order.indexOf(fullFrom);
}

function toGroupOption(code: SmartRegionCode): GroupOption {
  return { name: groups[code].name, code, type: "smartGroup" };
}

export const regionHandlers = { getAvailableRegions };
