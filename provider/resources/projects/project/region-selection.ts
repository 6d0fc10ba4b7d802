import { z } from "zod";
import { smartRegionCode } from "../../../../spec/operations/projects";
import { regionCode } from "../../../../spec/shared-fields";
import type { CheckFailure } from "../../../define/resource";

export const regionSelection = z
  .strictObject({
    type: z
      .enum(["specific", "smartGroup"])
      .meta({
        id: "ProjectRegionSelectionType",
        description: "Whether to select a region or a group of regions.",
      })
      .describe("`specific` for one region, `smartGroup` for a group from which the service chooses."),
    code: z
      .enum([...regionCode.options, ...smartRegionCode.options])
      .meta({ id: "ProjectRegionSelectionCode", description: "A region, or a group of regions." })
      .describe("Code of a region, such as `eu-central-1`, or of a group: `americas`, `emea`, `apac`."),
  })
  .meta({
    id: "ProjectRegionSelection",
    description: "A region, or a group of regions from which the service chooses.",
  });

/** That the code is one of its type. */
export function checkSelection({ type, code }: z.output<typeof regionSelection>): CheckFailure[] {
  const allowed: readonly string[] = type === "specific" ? regionCode.options : smartRegionCode.options;
  if (allowed.includes(code)) return [];
  const reason = `got "${code}"; with the type "${type}" allowed: ${allowed.join(", ")}`;
  return [{ path: "regionSelection.code", reason }];
}
