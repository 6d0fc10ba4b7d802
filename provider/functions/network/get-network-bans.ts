import { z } from "zod";
import { defineFunction } from "../../define/function";
import { ofProject } from "../../lookup/missing-errors";
import { projectRef } from "../../define/shared-arguments";
import { pickPresentFields, readInProject } from "../answers";

const inputs = z.strictObject({ projectRef });

const ban = z
  .object({
    address: z.string().describe("Banned IPv4 address."),
    databaseIdentifier: z
      .string()
      .describe(
        "Database that refuses the address: the project's reference, or the identifier of a read replica.",
      )
      .optional(),
    type: z.string().describe("Type of the ban, in the service's words.").optional(),
  })
  .describe("A ban of an address from a database.");

const outputs = z.object({
  addresses: z.array(z.string()).describe("All banned IPv4 addresses, without duplicates."),
  bans: z.array(ban).describe("All bans, one per address and database."),
});

/** The addresses that a project's databases refuse. */
export const getNetworkBans = defineFunction({
  name: "getNetworkBans",
  description:
    "Lists the IP addresses that are banned from a project's databases after failed logins, with the database of each ban.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref }) {
    const found = await readInProject(ctx, ref, "network-bans", () =>
      ctx.api.listNetworkBansEnriched({ ref }),
    );
    return {
      addresses: [...new Set(found.map(({ banned_address }) => banned_address))],
      bans: found.map(({ banned_address, identifier, type }) => ({
        address: banned_address,
        ...pickPresentFields({ databaseIdentifier: identifier, type }),
      })),
    };
  },
});
