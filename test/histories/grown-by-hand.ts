import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../emulator";
import { HUSH, type Deployed, type ProjectAction } from "./project-actions";
import { Refusal } from "../../emulator/service/answers/refusal";

/** Longer than anything that a call begins takes. */
const SETTLED_MS = 5 * 60 * 60_000;

/** A project that grows by hand, with the folder and the values that its team has. */
export class GrownByHand {
  readonly ref: string;
  /** Values of secrets as a file of the team has them, right or wrong. */
  readonly given = new Map<string, string>();
  readonly choose = new Set<string>();
  full = false;

  constructor(
    private readonly control: Emulator["control"],
    /** Where the team has its migrations. */
    readonly folder: string,
  ) {
    const { ref } = control.call("createProject", {
      body: {
        name: "shop",
        organization_slug: "acme",
        db_pass: "initial-password",
        region_selection: { type: "specific", code: "eu-central-1" },
      },
    });
    this.ref = ref;
    control.advance(SETTLED_MS);
    control.set("jitAccessShowsState", true);
    control.call("applyAddon", {
      ref,
      body: { addon_type: "compute_instance", addon_variant: "ci_small" },
    });
    control.advance(SETTLED_MS);
  }

  async act(action: ProjectAction): Promise<void> {
    const { control, ref } = this;
    try {
      switch (action.kind) {
        case "call":
          await control.call(action.operation, { ref, ...action.parameters });
          break;
        case "deploy":
          control.call("deployFunction", { ref, slug: action.slug, body: deployBody(action.deployed) });
          break;
        case "secrets":
          control.call("createSecrets", {
            ref,
            body: Object.entries(action.secrets).map(([name, value]) => ({ name, value })),
          });
          for (const [name, value] of Object.entries(action.secrets)) {
            this.given.delete(name);
            if (action.given !== "none")
              this.given.set(name, action.given === "equal" ? value : `another ${HUSH}`);
          }
          break;
        case "migrate":
          await this.migrate(action.name, action.query);
          break;
        case "import with":
          for (const type of action.choose) this.choose.add(type);
          this.full ||= action.full;
          break;
      }
    } catch (error) {
      // What the service does not take is not there.
      if (!(error instanceof Refusal)) throw error;
    }
    this.control.advance(SETTLED_MS);
  }

  /** As a team applies a file of its folder. */
  private async migrate(name: string, query: string): Promise<void> {
    const { control, ref } = this;
    await control.call("applyMigration", { ref, body: { name, query } });
    const version = (await control.call("listMigrations", { ref })).at(-1)?.version ?? "";
    mkdirSync(join(this.folder, "migrations"), { recursive: true });
    const inName = name.replaceAll(/[^\w-]/g, "_") || "unnamed";
    writeFileSync(join(this.folder, "migrations", `${version}_${inName}.sql`), query);
  }
}

function deployBody({ files, entrypoint, importMap, name }: Deployed) {
  return {
    file: Object.entries(files).map(([path, text]) => ({
      name: path,
      content: new TextEncoder().encode(text),
    })),
    metadata: {
      entrypoint_path: entrypoint,
      name,
      ...(importMap === undefined ? {} : { import_map_path: importMap }),
    },
  };
}
