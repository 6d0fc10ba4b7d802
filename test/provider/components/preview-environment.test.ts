import * as pulumi from "@pulumi/pulumi";
import { composeComponent } from "../../../provider/components/components";
import { checkArguments } from "../../../provider/components/check-arguments";
import { previewName, parsePreviewName } from "../../../provider/resources/branches/shared/preview-identity";
import type { ResourceFactory } from "../../../provider/components/composition";
import {
  composePreview,
  formatSummary,
  readScript,
  requireOwnBranch,
} from "../../../provider/components/preview-environment/compose";
import { previewEnvironment } from "../../../provider/components/preview-environment/preview-environment";
import { useSourceFolder } from "../../lifecycle/functions/source-folder";
import { formatApiUrl } from "../../../provider/resources/projects/project/connection";

const PARENT = "pppppppppppppppppppp";
const REF = "bbbbbbbbbbbbbbbbbbbb";
const REPOSITORY = "https://forge.example.com/acme/shop";
const ARGS = {
  ...{ parentProjectRef: PARENT, repository: REPOSITORY },
  ...{ pullRequest: 7, gitBranch: "feature/search" },
};

const checked = (more: object) => checkArguments(previewEnvironment, "preview", { ...ARGS, ...more });

describe("the arguments", () => {
  it.each([
    [{ pullRequest: 0 }, "- pullRequest: got 0; at least 1 required"],
    [{ pullRequest: "7" }, "- pullRequest:"],
    [{ gitBranch: undefined }, "- gitBranch: required, but missing"],
    [{ parentProjectRef: undefined }, "- parentProjectRef: required, but missing"],
    [{ parentProjectRef: "production" }, "- parentProjectRef:"],
    [{ namePrefix: "pr-1" }, "not ending with a digit, as `pr-`"],
    [{ repository: undefined }, "- repository: required, but missing"],
    [{ repository: "shop" }, "the web address of a repository, as `https://forge.example.com/acme/shop`"],
    [{ repository: "https://user:token@forge.example.com/acme/shop" }, "- repository:"],
    [{ ttlHours: 8_761 }, "- ttlHours:"],
    [{ gitbranch: "x" }, "- gitbranch: "],
    [{ auth: pulumi.output({}) }, "- auth: its properties must be known when the program runs"],
  ])("are refused at once where they are wrong: %j", (more, why) => {
    expect(() => checked(more)).toThrow("The PreviewEnvironment preview cannot be created:");
    expect(() => checked(more)).toThrow(why);
  });

  it("name the secrets of the vault before anything is made", () => {
    const make = (): never => {
      throw new Error("it was made");
    };
    const composed = { component: {} as pulumi.ComponentResource, name: "preview", make };
    const vaultSecrets = pulumi.output({ payments: "a-value" });
    expect(() =>
      composeComponent("PreviewEnvironment", { ...composed, args: { ...ARGS, vaultSecrets } }),
    ).toThrow("vaultSecrets: its names must be known when the program runs");
    expect(() =>
      composeComponent("PreviewEnvironment", {
        ...composed,
        args: { ...ARGS, vaultSecrets: { payments: pulumi.output("a-value") } },
      }),
    ).toThrow("it was made");
  });

  it("are refused all at once", () => {
    expect(() => checked({ pullRequest: 0, gitBranch: undefined })).toThrow(/gitBranch[^]*pullRequest/);
  });

  it.each([
    {},
    { namePrefix: "preview-" },
    { instanceSize: "128xlarge" },
    { pullRequest: pulumi.output(7) },
    { auth: { siteUrl: pulumi.output("x") } },
  ])("are taken as they are where nothing is wrong: %j", (more) => {
    expect(Object.keys(checked(more))).toEqual(Object.keys({ ...ARGS, ...more }));
  });
});

describe("a seed", () => {
  const folder = useSourceFolder();

  it.each([
    "",
    "insert 1;\nBEGIN;\ninsert 2;\nEND;",
    "\\restrict x\nselect 1;",
    "begin; a; commit; begin; b; commit;",
  ])("is read as a migration is: %j", (text) => {
    folder.write({ "seed.sql": text });
    expect(readScript("seed", folder.path("seed.sql"), false)).toBe(text);
  });

  it.each([
    ["select 1;\n\\i other.sql", "line 2, has `\\i`, which only psql understands"],
    ["select 1;\nvacuum notes;", "line 2, has `vacuum notes`, which cannot run in a transaction or beside"],
    ["vacuum notes;", "line 1, cannot run in one transaction with its record"],
    ["select 1;\nrollback;", "line 2, has `rollback`, which does not pair into transactions"],
  ])("that cannot be run is named with its file, its line and what its user can do: %j", (text, why) => {
    folder.write({ "seed.sql": text });
    const read = () => readScript("seed", folder.path("seed.sql"), false);
    expect(read).toThrow(`seed: ${folder.path("seed.sql")}, ${why}`);
    if (text.includes("vacuum")) expect(read).toThrow("to a migration");
    // The path is a secret.
    expect(() => readScript("seed", folder.path("seed.sql"), true)).toThrow(/^seed: line \d/);
  });
});

describe("the resources of a preview", () => {
  const folder = useSourceFolder();

  interface Made {
    readonly name: string;
    readonly args: pulumi.Inputs;
    readonly after: readonly string[];
  }

  /** What a component makes with these arguments, by the type of the resource. */
  function compose(more: object): ReadonlyMap<string, readonly Made[]> {
    const made: (Made & { readonly type: string })[] = [];
    const names = new Map<unknown, string>();
    const make: ResourceFactory = (type, name, args, { dependsOn = [] }) => {
      const after = (dependsOn as unknown[]).map((each) => names.get(each) ?? "");
      made.push({ type, name, args, after });
      const branch = { ref: REF, parentProjectRef: PARENT, isDefault: false, persistent: false };
      const outputs = { ...branch, gitBranch: ARGS.gitBranch, name: args["name"] as unknown, id: REF };
      const resource = Object.fromEntries(
        Object.entries(outputs).map(([key, value]) => [key, pulumi.output(value)]),
      );
      names.set(resource, name);
      // The component looks at nothing else of what it makes.
      return resource as unknown as pulumi.CustomResource;
    };
    const component = {} as pulumi.ComponentResource;
    composePreview({ component, name: "preview", args: { ...ARGS, ...more }, make });
    return Map.groupBy(made, ({ type }) => type);
  }

  it("are told what a program says of functions and migrations", () => {
    const ofFunctions = { functions: { hello: { verifyJwt: false } }, only: ["hello"], exclude: ["old"] };
    const ofMigrations = { via: "migrations", rollbackTo: "0", outOfOrder: true, exclude: ["queries.sql"] };
    const { functions: functionOptions, ...others } = ofFunctions;
    const { exclude: excludeMigrations, ...ofSet } = ofMigrations;
    const declared = {
      functions: "functions",
      functionOptions,
      ...others,
      migrations: "migrations",
      excludeMigrations,
      ...ofSet,
    };
    const made = compose(declared);
    // An output answers to every key, so that a comparison of all arguments would not end.
    const told = (type: string, names: object): unknown[] =>
      Object.keys(names).map((name) => made.get(type)?.[0]?.args[name] as unknown);
    expect(told("FunctionSet", ofFunctions)).toEqual(Object.values(ofFunctions));
    expect(told("MigrationSet", ofMigrations)).toEqual(Object.values(ofMigrations));
  });

  it("have all the timeouts of the preview", async () => {
    folder.write({ "seed.sql": "select 1;" });
    const timeouts = { create: 5_400 };
    const declared = {
      ...{ migrations: "migrations", functions: "functions", seed: folder.path("seed.sql"), timeouts },
      ...{ databaseWebhooks: true, vaultSecrets: { payments: "a-value" }, secrets: { TOKEN: "a-value" } },
      ...{ settings: { workMem: "8MB" }, auth: { siteUrl: "https://preview.example.com" } },
    };
    const made = compose(declared);
    expect([...made.keys()].toSorted()).toEqual(previewEnvironment.makes.toSorted());
    const told = [...made.values()].flat().map(({ args }): unknown => args["timeouts"]);
    expect(told.filter((each) => each !== timeouts)).toEqual([]);
    const without = [...compose({ ...declared, timeouts: undefined }).values()].flat();
    // The file is read before its folder is removed.
    const queries = [...made.values()]
      .flat()
      .concat(without)
      .map(({ args }) => args["query"] as string);
    for (const query of queries) await valueOf(pulumi.output(query));
    expect(without.filter(({ args }) => "timeouts" in args)).toEqual([]);
  });

  it("run several seeds one after the other, each under a name of its own", async () => {
    folder.write({ "one.sql": "select 1;", "two.sql": "vacuum;", "three.sql": "select 3;" });
    const files = ["one.sql", "two.sql", "three.sql"].map((name) => folder.path(name));
    const scripts = compose({ seed: files, transaction: false }).get("SqlScript") ?? [];
    const told = await Promise.all(
      scripts.map(async ({ name, after, args }): Promise<unknown[]> => {
        const [query, file] = [args["query"], args["sourceFile"]].map((each) =>
          pulumi.output(each as string),
        );
        const own = [args["name"], args["transaction"]] as unknown[];
        return [name, ...own, after, await valueOf(query), await valueOf(file)];
      }),
    );
    expect(told).toEqual([
      ["preview-seed", "seed", false, [], "select 1;", files[0]],
      ["preview-seed-2", "seed-2", false, ["preview-seed"], "vacuum;", files[1]],
      ["preview-seed-3", "seed-3", false, ["preview-seed-2"], "select 3;", files[2]],
    ]);
  });

  it("come before the migrations where these need them, and the files of the setup each after the other", async () => {
    folder.write({ "one.sql": "create role app nologin;", "two.sql": "select 2;", "seed.sql": "select 3;" });
    const declared = {
      migrations: "migrations",
      settings: { workMem: "8MB" },
      vaultSecrets: { payments: "a-value" },
      databaseWebhooks: true,
      setup: [folder.path("one.sql"), folder.path("two.sql")],
      seed: folder.path("seed.sql"),
    };
    const made = compose(declared);
    const after = (type: string) => made.get(type)?.map((each) => [each.name, each.after]);
    const before = ["preview-settings", "preview-vault-payments", "preview-webhooks"];
    const files = ["preview-setup", "preview-setup-2"];
    expect(after("DatabaseWebhooks")).toEqual([["preview-webhooks", []]]);
    expect(after("MigrationSet")).toEqual([["preview-migrations", [...before, ...files]]]);
    expect(after("SqlScript")).toEqual([
      ["preview-setup", before],
      ["preview-setup-2", [...before, "preview-setup"]],
      ["preview-seed", [...before, ...files, "preview-migrations"]],
    ]);
    const scripts = made.get("SqlScript") ?? [];
    const told = scripts.map(async ({ args }) => [
      args["name"] as string,
      await valueOf(pulumi.output(args["query"] as string)),
    ]);
    expect(await Promise.all(told)).toEqual([
      ["setup", "create role app nologin;"],
      ["setup-2", "select 2;"],
      ["seed", "select 3;"],
    ]);
    expect(compose({ databaseWebhooks: false }).get("DatabaseWebhooks")).toBeUndefined();
    expect(() => compose({ databaseWebhooks: pulumi.output(true) })).toThrow(
      "- databaseWebhooks: it must be known when the program runs",
    );
  });

  it("name the input whose file cannot be run", () => {
    folder.write({ "setup.sql": "select 1;\nvacuum notes;" });
    const file = folder.path("setup.sql");
    expect(() => readScript("setup", file, false)).toThrow(`setup: ${file}, line 2, has`);
    expect(() => readScript("setup", folder.path("none.sql"), false)).toThrow("setup: the file");
  });

  it("have the name of a single seed whether it is in a list or not", async () => {
    folder.write({ "one.sql": "select 1;" });
    for (const seed of [folder.path("one.sql"), [folder.path("one.sql")]]) {
      const scripts = compose({ seed }).get("SqlScript") ?? [];
      expect(scripts.map(({ name, args }): unknown[] => [name, args["name"]])).toEqual([
        ["preview-seed", "seed"],
      ]);
      expect(await valueOf(pulumi.output(scripts[0]?.args["query"] as string))).toBe("select 1;");
    }
  });
});

function valueOf<T>(value: pulumi.Output<T> | undefined): Promise<T | undefined> {
  return new Promise((resolve) => {
    if (value === undefined) resolve(undefined);
    else value.apply(resolve);
  });
}

describe("a branch of its own", () => {
  const purpose = { name: "pr-7-x", parentRef: PARENT, pullRequest: 7, gitBranch: "feature/search" };
  const own = {
    ...{ ref: REF, name: "pr-7-x", parentRef: PARENT, isDefault: false, persistent: false },
    ...{ gitBranch: "feature/search", pullRequest: undefined },
  };

  it("is one of that parent, Git branch and pull request, neither default nor persistent", () => {
    expect(requireOwnBranch(purpose, own)).toBe(REF);
    expect(requireOwnBranch(purpose, { ...own, pullRequest: 7 })).toBe(REF);
  });

  it.each([
    [{ ref: undefined }, "does not return the branch's reference"],
    [{ ref: "" }, "does not return the branch's reference"],
    [{ ref: PARENT }, "it is the project itself"],
    [{ parentRef: undefined }, "an unknown project"],
    [{ name: "pr-7-y" }, "its name is pr-7-y, not pr-7-x"],
    [{ isDefault: undefined }, "does not say whether it is"],
    [{ persistent: undefined }, "does not say whether it is"],
    [{ pullRequest: 8 }, "it belongs to pull request 8"],
    [{ gitBranch: undefined }, 'from no Git branch, not from the Git branch "feature/search"'],
  ])("is told by nothing less: %j", (told, why) => {
    expect(() => requireOwnBranch(purpose, { ...own, ...told })).toThrow(why);
  });

  it("is told without what the program made a secret", () => {
    const redact = (text: string): string => text.replaceAll(PARENT, "[secret]");
    expect(() => requireOwnBranch(purpose, { ...own, isDefault: true }, redact)).toThrow(
      "The preview pr-7-x of the project [secret] failed",
    );
  });
});

describe("the name of a preview", () => {
  const key = { repository: REPOSITORY, parentRef: PARENT };

  it("shows the number and the repository, and is none of another repository, project or number", () => {
    expect(previewName("pr-", 7, key)).toMatch(/^pr-7-acme-shop-[0-9a-f]{10}$/);
    const others = [
      previewName("pr-", 7, { ...key, repository: "https://forge.example.com/acme-shop/x" }),
      previewName("pr-", 7, { ...key, repository: "https://other.example.com/acme/shop" }),
      previewName("pr-", 7, { ...key, repository: "https://forge.example.com/acme/shop/more" }),
      previewName("pr-", 7, { ...key, parentRef: REF }),
    ];
    expect(new Set([previewName("pr-", 7, key), ...others]).size).toBe(5);
    for (const name of others) expect(parsePreviewName(name, "pr-", key)).toBeUndefined();
  });

  it("is the same however the repository's address is written", () => {
    for (const repository of [
      "forge.example.com/acme/shop",
      `${REPOSITORY}.git`,
      "HTTPS://forge.example.com/Acme/Shop/",
    ]) {
      expect(previewName("pr-", 7, { ...key, repository })).toBe(previewName("pr-", 7, key));
    }
  });

  it("tells the number, and none where it is another name", () => {
    const name = previewName("pr-", 12, key);
    expect(parsePreviewName(name, "pr-", key)).toBe(12);
    for (const other of [
      "pr-12",
      name.replace("12", "012"),
      name.replace("12", "12-fix"),
      `a${name}`,
      `${name}0`,
    ]) {
      expect(parsePreviewName(other, "pr-", key)).toBeUndefined();
    }
  });

  it("fits a stack, however long the repository's own is", () => {
    const long = { ...key, repository: `https://forge.example.com/${"group/".repeat(40)}shop` };
    expect(previewName("p".repeat(40), 123_456_789_012_345, long).length).toBeLessThanOrEqual(100);
  });
});

describe("the summary", () => {
  const shown = {
    ...{ pullRequest: 7, gitBranch: "feature/search", branchName: "pr-7", ref: REF },
    ...{ apiUrl: undefined, latestMigration: undefined, functions: undefined, ttlHours: undefined },
  };

  it("is a table without what is not there", () => {
    expect(formatSummary(shown)).toBe(
      [
        "### Preview of pull request 7",
        "",
        "| | |",
        "| --- | --- |",
        `| Branch | \`pr-7\` (\`${REF}\`) |`,
        "| Git branch | `feature/search` |",
        "| Lasts | until the pull request is closed |",
        "",
      ].join("\n"),
    );
  });

  it("shows an address that is none as code", () => {
    const apiUrl = "https://a.example |x|[y](javascript:z)";
    expect(formatSummary({ ...shown, apiUrl })).toContain(
      "| API | <code>https&#58;&#47;&#47;a.example &#124;x",
    );
    const own = "https://abc.service.example";
    expect(formatSummary({ ...shown, apiUrl: own })).toContain(`| API | ${own} |`);
  });

  it.each([
    ["a`b", "| Git branch | ``a`b`` |"],
    ["a|b`c", "| Git branch | <code>a&#124;b&#96;c</code> |"],
    ["`x`", "| Git branch | `` `x` `` |"],
    ["a\n| injected | row |", "| Git branch | <code>a&#92;n&#124; injected &#124; row &#124;</code> |"],
    ["<!-- preview -->\u202e", "| Git branch | <code>&#60;&#33;-- preview --&#62;&#92;u202e</code> |"],
  ])("shows a Git branch called %j as it is", (gitBranch, row) => {
    expect(formatSummary({ ...shown, gitBranch })).toContain(`${row}\n`);
  });
});

it.each([
  [`db.${REF}.service.example`, `https://${REF}.service.example`],
  [`db.${PARENT}.service.example`, undefined],
  ["10.0.0.1", undefined],
  [undefined, undefined],
])("the URL of the API is told by the database's host name %s alone", (host, url) => {
  expect(formatApiUrl(REF, host)).toBe(url);
});
