import { readFileSync } from "node:fs";
import { join } from "node:path";
import { apiKey } from "../provider/resources/auth/api-key/api-key";
import { startScenario } from "./kit/scenario";

/** A message as the page quotes it, in which `…` stands for anything. */
function quotedIn(page: string, beginning: string): RegExp {
  const text = readFileSync(join(__dirname, "..", "docs", page), "utf8");
  const blocks = [...text.matchAll(/^```text\n([^]*?)^```$/gm)].map(([, block = ""]) => block);
  const [one, ...others] = blocks.filter((block) => block.startsWith(beginning));
  if (one === undefined || others.length > 0) throw new Error(`${page} has ${others.length} more of these.`);
  const parts = one.trim().replaceAll(/\s+/g, " ").split("…");
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("[^]*")}$`);
}

it("the message of a rename without an alias is the one that the page on daily work quotes", async () => {
  const scenario = await startScenario();
  try {
    const keys = scenario.manage(apiKey);
    const inputs = { projectRef: scenario.healthyProject(), name: "backend", type: "secret" };
    await keys.create({ ...inputs, __owner: "acme/shop/dev/backend" });
    const renamed = { ...inputs, __owner: "acme/shop/dev/backend-key" };
    const message = await keys.create(renamed).then(
      () => "it was created",
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    expect(message).toContain(". The resource `backend` of ");
    expect(message.replace(/^adopt: /, "")).toMatch(quotedIn("daily-work.md", "The ApiKey already exists"));
  } finally {
    await scenario.close();
  }
});
