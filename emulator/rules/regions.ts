import type { z } from "zod";
import type { createProjectBody, smartRegionCode } from "../../spec/operations/projects";
import { Refusal } from "../handler";

type CreateProjectBody = z.output<typeof createProjectBody>;

/** The region that the service chooses within a group of regions. */
const chosenRegions: Readonly<Record<z.output<typeof smartRegionCode>, string>> = {
  americas: "us-east-1",
  emea: "eu-central-1",
  apac: "ap-southeast-1",
};

/** The concrete region of a new project (management-api-1, Projects). */
export function chooseRegion(
  region: CreateProjectBody["region"],
  selection: CreateProjectBody["region_selection"],
): string {
  if (region !== undefined && selection !== undefined) {
    throw new Refusal(400, "region and region_selection cannot be used together");
  }
  if (selection === undefined) return region ?? chosenRegions.americas;
  return selection.type === "specific" ? selection.code : chosenRegions[selection.code];
}
