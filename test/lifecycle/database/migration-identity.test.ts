import { migration } from "../../../provider/resources/database/migration/migration";
import { migrationSet } from "../../../provider/resources/database/migration-set/migration-set";
import type { Values } from "../../../provider/define/values";
import { useSourceFolder } from "../functions/source-folder";
import { startScenario, type Scenario } from "../../kit/scenario";
import { queried } from "../../../tools/fixtures/database-look";

// Which file a row of the history is, whoever wrote it: every relation of a row to a pending file, by the rule written once more.

const folder = useSourceFolder();
let scenario: Scenario;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
});
afterEach(() => scenario.close());

const HISTORY = "svc_migrations.schema_migrations";
const makeHistory = `create schema if not exists svc_migrations; create table if not exists ${HISTORY} (version text primary key, statements text[], name text);`;

const VERSIONS = ["equal", "before", "after", "short", "long"] as const;
const NAMES = ["same", "full", "other", "none"] as const;
const CONTENTS = ["same", "another form", "another literal", "no statements"] as const;
type Verdict = "applied" | "refused" | "runs";

interface Cell {
  readonly version: (typeof VERSIONS)[number];
  readonly name: (typeof NAMES)[number];
  readonly content: (typeof CONTENTS)[number];
}

/** The rule, as the issue of this behaviour has it. */
function verdictOf({ version, name, content }: Cell): Verdict {
  if (version === "equal") return "applied";
  const isTime = version === "before" || version === "after";
  if (isTime && name === "full") return "applied";
  if (name === "other" || name === "none") return "runs";
  const isSame = content === "same" || content === "another form";
  return isSame && version === "after" ? "applied" : "refused";
}

const cells = VERSIONS.flatMap((version) =>
  NAMES.flatMap((name) => CONTENTS.map((content): Cell => ({ version, name, content }))),
);

interface Placed extends Cell {
  readonly file: { readonly version: string; readonly name: string; readonly query: string };
  readonly row: string;
}

const placed = cells.map((cell, index): Placed => {
  const number = String(index).padStart(4, "0");
  const [version, name] = [`2026060100${number}`, `step_${number}`];
  const query = `insert into log values ('Step ${number}');`;
  const rowVersion = {
    equal: version,
    before: `2026050100${number}`,
    after: `2026070100${number}`,
    short: `7${number}`,
    long: `02026070100${number}`,
  }[cell.version];
  const rowName = { same: name, full: `${version}_${name}`, other: `other_${number}`, none: undefined }[
    cell.name
  ];
  const text = {
    same: `insert into log values ('Step ${number}')`,
    "another form": `-- a comment\nINSERT  into log\n  values( 'Step ${number}' )`,
    "another literal": `insert into log values ('step ${number}')`,
    "no statements": undefined,
  }[cell.content];
  const row = `(${literal(rowVersion)}, ${text === undefined ? "null" : `array[${literal(text)}]`}, ${rowName === undefined ? "null" : literal(rowName)})`;
  return { ...cell, file: { version, name, query }, row };
});

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

const expected = (verdict: Verdict): string[] =>
  placed.filter((cell) => verdictOf(cell) === verdict).map(({ file }) => file.name);
const labelled = (cell: Placed): string =>
  `${cell.file.name}: ${cell.version}, ${cell.name}, ${cell.content}`;
const ran = async (): Promise<string[]> =>
  (await queried(scenario, ref, "select body from log order by 1")).map(({ body }) =>
    String(body).replace("Step ", "step_"),
  );

async function prepare(): Promise<void> {
  await queried(
    scenario,
    ref,
    `create table log (body text); ${makeHistory} insert into ${HISTORY} values ${placed.map(({ row }) => row).join(", ")}`,
  );
}

const fileName = ({ file }: Placed): string => `${file.version}_${file.name}.sql`;

describe.each(["query", "migrations"])("a MigrationSet via %s", (via) => {
  const declared = (more: Values = {}): Values => ({
    ...{ projectRef: ref, directory: folder.path(), via, outOfOrder: true },
    ...more,
  });

  it("counts, refuses and runs as the rule says, and a refresh finds nothing more", async () => {
    await prepare();
    folder.write(Object.fromEntries(placed.map((cell) => [fileName(cell), cell.file.query])));
    const sets = scenario.manage(migrationSet);
    const message = await sets.create(declared()).then(() => "nothing was refused", String);
    const refused = placed.filter((cell) => message.includes(`${fileName(cell)} was not applied`));
    const wanted = placed.filter((cell) => verdictOf(cell) === "refused");
    expect(refused.map(labelled)).toEqual(wanted.map(labelled));
    expect(await ran()).toEqual([]);
    for (const cell of wanted) folder.remove(fileName(cell));
    scenario.nextRun();
    const made = await sets.create(declared());
    expect(await ran()).toEqual(expected("runs"));
    const told = scenario.warnings.join("\n");
    const counted = placed.filter((cell) => told.includes(`${fileName(cell)} counts as applied`));
    expect(counted.map(labelled)).toEqual(
      placed
        .filter(
          ({ version, name, content }) =>
            version === "after" && name === "same" && (content === "same" || content === "another form"),
        )
        .map(labelled),
    );
    scenario.nextRun();
    const read = await sets.read(made);
    expect(sets.diff(read?.state ?? {}, declared()).properties).toEqual([]);
    await sets.update({ ...made, state: read?.state ?? {} }, declared());
    expect(await ran()).toEqual(expected("runs"));
  });

  it("takes what it refuses where the program accepts it, and runs nothing of it", async () => {
    await prepare();
    const refused = placed.filter((cell) => verdictOf(cell) === "refused");
    folder.write(Object.fromEntries(refused.map((cell) => [fileName(cell), cell.file.query])));
    const accept = refused.map(({ file }) => file.version);
    const sets = scenario.manage(migrationSet);
    const made = await sets.create(declared({ accept, baseline: "none" }));
    expect(await ran()).toEqual([]);
    scenario.nextRun();
    const read = await sets.read(made);
    expect(sets.diff(read?.state ?? {}, declared({ accept, baseline: "none" })).properties).toEqual([]);
  });
});

describe.each(["query", "migrations"])("single Migrations via %s", (via) => {
  it("count, are refused and run as the rule says", async () => {
    await prepare();
    const migrations = scenario.manage(migration);
    const found: string[] = [];
    for (const cell of placed) {
      const before = await ran();
      const inputs = {
        projectRef: ref,
        via,
        baseline: "none",
        ...cell.file,
        __owner: `acme/${cell.file.name}`,
      };
      const message = await migrations.create(inputs).then(() => "", String);
      const isRefused = message.includes("was not applied");
      if (message !== "" && !isRefused) throw new Error(`${labelled(cell)}: ${message}`);
      const verdict = isRefused ? "refused" : (await ran()).length > before.length ? "runs" : "applied";
      found.push(`${labelled(cell)}: ${verdict}`);
    }
    expect(found).toEqual(placed.map((cell) => `${labelled(cell)}: ${verdictOf(cell)}`));
  });
});
