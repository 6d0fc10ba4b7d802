import type { ManagementClient } from "../../provider/client";

/** A change that somebody makes past Pulumi, and where a refresh must show it. */
export interface Edit {
  readonly title: string;
  readonly type: string;
  /** The property that must show an old and a new value; undefined where the resource is deleted. */
  readonly property: string | undefined;
  readonly apply: (projectRef: string) => Promise<unknown>;
}

/** Five edits by somebody else: four changes and one deletion. */
export function editsBySomebodyElse(client: ManagementClient, projectName: string): Edit[] {
  return [
    {
      title: `rename the project to "${projectName}-renamed-by-hand"`,
      type: "Project",
      property: "name",
      apply: (ref) => client.updateProject({ ref, body: { name: `${projectName}-renamed-by-hand` } }),
    },
    {
      title: "overwrite the secret PAYMENT_TOKEN",
      type: "Secret",
      property: "inSync",
      apply: (ref) =>
        client.createSecrets({ ref, body: [{ name: "PAYMENT_TOKEN", value: "changed-by-hand" }] }),
    },
    {
      title: "deploy other code to the function hello",
      type: "EdgeFunction",
      property: "version",
      apply: (ref) =>
        client.deployFunction({
          ref,
          slug: "hello",
          body: {
            metadata: { entrypoint_path: "index.ts" },
            file: [
              { name: "index.ts", content: Buffer.from('Deno.serve(() => new Response("by hand"));\n') },
            ],
          },
        }),
    },
    {
      title: "lower the Postgres setting work_mem to 4MB",
      type: "PostgresConfig",
      property: "workMem",
      apply: async (ref) => {
        const current = await client.getPostgresConfig({ ref });
        const kept = Object.fromEntries(Object.entries(current).filter(([, value]) => value !== null));
        await client.updatePostgresConfig({ ref, body: { ...kept, work_mem: "4MB" } });
      },
    },
    {
      title: "delete the API key backend",
      type: "ApiKey",
      property: undefined,
      apply: async (ref) => {
        const keys = await client.listApiKeys({ ref });
        const id = keys.find(({ name }) => name === "backend")?.id;
        if (typeof id !== "string") throw new Error("The API key backend is not there to be deleted.");
        await client.deleteApiKey({ ref, id });
      },
    },
  ];
}
