import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";

const texts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));
const permissions = z.record(z.string(), z.string());

const step = z
  .strictObject({
    name: z.string().optional(),
    id: z.string().optional(),
    if: z.string().optional(),
    uses: z.string().optional(),
    with: texts.default({}),
    env: texts.default({}),
    run: z.string().optional(),
    "working-directory": z.string().optional(),
  })
  .refine(({ uses, run }) => (uses === undefined) !== (run === undefined));

const concurrency = z.union([
  z.string().transform((group) => ({ group })),
  z.strictObject({ group: z.string(), "cancel-in-progress": z.literal(false).optional() }),
]);

const job = z.strictObject({
  needs: z.string().optional(),
  environment: z.string().optional(),
  outputs: texts.default({}),
  concurrency: concurrency.optional(),
  if: z.string().optional(),
  "runs-on": z.literal("ubuntu-latest"),
  "timeout-minutes": z.int(),
  permissions,
  defaults: z.strictObject({
    run: z.strictObject({ shell: z.literal("bash"), "working-directory": z.string() }),
  }),
  steps: z.array(step),
});

/** What of GitHub's syntax the workflows of the example use; anything else is an error. */
const workflow = z.strictObject({
  name: z.string(),
  on: z.strictObject({
    pull_request: z
      .strictObject({ types: z.array(z.string()), paths: z.array(z.string()).optional() })
      .optional(),
    merge_group: z.null().optional(),
    push: z.strictObject({ branches: z.array(z.string()) }).optional(),
    schedule: z.array(z.strictObject({ cron: z.string() })).optional(),
    workflow_dispatch: z.null().optional(),
  }),
  concurrency: concurrency.optional(),
  permissions: z.strictObject({}),
  jobs: z.record(z.string(), job),
});

export type Workflow = z.output<typeof workflow>;
export type Job = z.output<typeof job>;
export type Step = z.output<typeof step>;

export function readWorkflow(file: string): Workflow {
  return workflow.parse(parse(readFileSync(file, "utf8")));
}
