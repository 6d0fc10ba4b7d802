import { z } from "zod";
import { ResponseSchemaError } from "../../client/errors/errors";
import { defineFunction } from "../../define/function";
import { projectRef } from "../../define/shared-arguments";
import { ofProject } from "../../lookup/missing-errors";
import { readInProject } from "../answers";

const inputs = z.strictObject({
  projectRef,
  names: z
    .array(z.string().min(1).describe("Name of a sample, such as `node_filesystem_size_bytes`."))
    .min(1)
    .describe("Names of the samples to return. Default: all of them, which may be thousands.")
    .optional(),
});

const sample = z
  .object({
    name: z.string().describe("Name of the sample, such as `node_filesystem_size_bytes`."),
    labels: z.record(z.string(), z.string()).describe("Labels of the sample, by name."),
    value: z.number().describe("The measured value. It is absent if it is not a finite number.").optional(),
  })
  .meta({ id: "MetricSample", description: "A measured value with its labels." });

type Sample = z.output<typeof sample>;

const outputs = z.object({
  samples: z.array(sample).describe("Measured values in the order of the service."),
});

/** What a project's services measure of themselves. */
export const getMetrics = defineFunction({
  name: "getMetrics",
  description:
    "Reads the metrics of a project's database and services, as monitoring systems scrape them. Which metrics exist is the service's choice. A paused project has none. Some installations do not have this operation.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref, names }) {
    const text = await readInProject(ctx, ref, "metrics", () => ctx.api.getMetrics({ ref }));
    const samples = parseSamples(text);
    return { samples: names === undefined ? samples : samples.filter(({ name }) => names.includes(name)) };
  },
});

const NAME = /^[a-zA-Z_:][\w:]*/;
const LABEL = /\b([a-zA-Z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"/g;

/** The samples of a text in the exposition format of Prometheus; lines of another form are left out. */
function parseSamples(text: string): Sample[] {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  const samples = lines.flatMap((line) => {
    const [name] = NAME.exec(line) ?? [];
    if (name === undefined) return [];
    const rest = line.slice(name.length);
    const labelled = rest.trimStart();
    const end = labelled.startsWith("{") ? labelled.lastIndexOf("}") + 1 : 0;
    // A blank stands before the value.
    const [before, value = "", time = "0", ...more] = (end === 0 ? rest : labelled.slice(end)).split(/\s+/);
    if (before !== "" || value === "" || more.length > 0 || !/^-?\d+$/.test(time)) return [];
    const number = Number(value);
    const labels = parseLabels(labelled.slice(0, end));
    return [{ name, labels, ...(Number.isFinite(number) ? { value: number } : {}) }];
  });
  if (samples.length > 0 || lines.length === 0) return samples;
  throw new ResponseSchemaError(
    "getMetrics failed: the answer is not in the text format of metrics. Try again; if it persists, report it.",
    "getMetrics",
    "",
  );
}

function parseLabels(text: string): Record<string, string> {
  const pairs = Array.from(text.matchAll(LABEL), ([, name = "", value = ""]): [string, string] => [
    name,
    value.replace(/\\(.)/g, (_, escaped: string) => (escaped === "n" ? "\n" : escaped)),
  ]);
  return Object.fromEntries(pairs);
}
