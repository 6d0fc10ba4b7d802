import { z } from "zod";
import { defineFunction } from "../../define/function";
import { ofProject } from "../../lookup/missing-errors";
import { projectRef } from "../../define/shared-arguments";
import { presentFields, readInProject } from "../answers";

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
    type: z.string().describe("Type that the service gives the ban.").optional(),
  })
  .describe("A ban of an address from a database.");

const outputs = z.object({
  addresses: z.array(z.string()).describe("All banned IPv4 addresses, each once."),
  bans: z.array(ban).describe("All bans, one for each address and database."),
});

/** The addresses that a project's databases refuse. */
export const getNetworkBans = defineFunction({
  name: "getNetworkBans",
  description:
    "Lists the IP addresses that the databases of a project refuse after failed logins, and which databases refuse each.",
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
        ...presentFields({ databaseIdentifier: identifier, type }),
      })),
    };
  },
});
