import { authExamples } from "./auth";
import { edgeFunctionExamples } from "./edge-functions";
import type { Example } from "./example";
import { functionExamples } from "./functions";
import { projectExamples } from "./projects";

/** An example for every resource by its type and every function by its name. */
export const examples: Readonly<Record<string, Example>> = {
  ...projectExamples,
  ...authExamples,
  ...edgeFunctionExamples,
  ...functionExamples,
};
