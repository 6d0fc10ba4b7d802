import { readFileSync } from "node:fs";
import { join } from "node:path";
import { allResources } from "../../../provider/catalog/catalog";
import { costLines } from "../../../tools/acceptance/costs";
import {
  allSubjects,
  costsOf,
  knownTypes,
  NEVER_TRIED,
  subjectsOf,
  whyLeftOut,
} from "../../../tools/acceptance/subjects";
import { PLANTED } from "./differing-service";

const context = { hostname: "db.example.com", withCost: true, plan: "pro" };

it("tries every type of resource and action, or says why not", () => {
  const types = allResources().map(({ type }) => type);
  expect([...knownTypes(), ...Object.keys(NEVER_TRIED)].sort()).toEqual(types.sort());
});

it("documents what it leaves out always, and what without consent to its cost", () => {
  const page = readFileSync(join(__dirname, "../../../docs/testing.md"), "utf8").replaceAll(/\s+/g, " ");
  for (const [type, why] of Object.entries(NEVER_TRIED)) expect(page).toContain(`| \`${type}\` | ${why} |`);
  const paragraph = page.slice(page.indexOf("Without `--with-cost`"), page.indexOf("It always leaves out"));
  const named = [...paragraph.matchAll(/`([A-Z]\w+)`/g)].map(([, type]) => type);
  const costly = allSubjects.filter((subject) => costsOf(subject).length > 0).map(({ type }) => type);
  expect(named.sort()).toEqual(costly.sort());
});

it("has a planted difference for every type that is tried", () => {
  expect(Object.keys(PLANTED).sort()).toEqual(knownTypes().sort());
});

it("leaves out what costs extra until that is agreed to, and says for what", () => {
  const leftOut = (withCost: boolean): string[] =>
    allSubjects.flatMap((subject) => {
      const why = whyLeftOut(subject, { ...context, withCost });
      return why === undefined ? [] : `${subject.type}: ${why}`;
    });
  expect(leftOut(true)).toEqual([]);
  expect(leftOut(false)).toEqual([
    "Branch: it costs extra, for the compute of a branch: pass --with-cost",
    "CustomHostname: it costs extra, for the add-on for a custom domain: pass --with-cost",
    "LogDrain: it costs extra, for a log drain: pass --with-cost",
    "BillingAddon: it costs extra, for the add-on for an IPv4 address: pass --with-cost",
    "ReadReplica: it costs extra, for the compute of a read replica and the project's compute: pass --with-cost",
    "BranchPush: it costs extra, for the compute of a branch: pass --with-cost",
    "BranchReset: it costs extra, for the compute of a branch: pass --with-cost",
    "BranchMerge: it costs extra, for the compute of a branch: pass --with-cost",
    "PitrRestore: it costs extra, for the project's compute and the add-on for point-in-time recovery: pass --with-cost",
  ]);
});

it("leaves out what a free plan does not have, and a hostname that nobody owns", () => {
  const why = (type: string, more: object): (string | undefined)[] =>
    subjectsOf([type]).map((subject) => whyLeftOut(subject, { ...context, ...more }));
  expect(why("Branch", { plan: "free" })).toEqual(["the plan of the organization is free"]);
  expect(why("Secret", { plan: "free" })).toEqual([undefined]);
  expect(why("CustomHostname", { hostname: undefined })).toEqual(["it needs --hostname"]);
});

it("states the highest cost of the project, and of what is beside it, once for all that need it", () => {
  const costs = (types: readonly string[]): string[] =>
    costLines(types.length === 0 ? allSubjects : subjectsOf(types));
  const last = "without taxes and what your plan itself costs";
  expect(costs(["Secret"])).toEqual([
    "  the project's compute, of the smallest size: $0.01344 hourly, at most $0.05",
    `  together at most $0.05, ${last}`,
  ]);
  expect(costs(["Branch", "BranchMerge", "BranchPush"])).toEqual([
    "  the project's compute, of the smallest size: $0.01344 hourly, at most $0.05",
    "  the compute of a branch, of the smallest size: $0.01344 hourly, at most $0.05",
    "  the compute of a branch, of the smallest size: $0.01344 hourly, at most $0.05",
    `  together at most $0.16, ${last}`,
  ]);
  expect(subjectsOf(["PitrRestore"]).flatMap(costsOf)).toEqual(["compute", "pitr"]);
  expect(costs([]).at(-1)).toBe(`  together at most $114.81, ${last}`);
});
