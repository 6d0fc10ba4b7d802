import type { Samples, Scene } from "../sample";

/** A table without a primary key and without row security. */
async function withFindings({ control, ref }: Scene): Promise<{ ref: string }> {
  await control.call("runQuery", { ref, body: { query: "create table if not exists notes (note text)" } });
  return { ref };
}

export const advisorSamples = {
  getPerformanceAdvisors: withFindings,
  getSecurityAdvisors: withFindings,
} satisfies Partial<Samples>;
