import { ManagementClient } from "../../provider/client";
import { startEmulator, type Emulator } from "../../emulator";
import { DEFAULT_PREFIX, previewName } from "../../previews";
import { HOUR_MS } from "../../previews/stale";

/** An emulator with a project, whose branches are usable at once, and a client for it. */
export interface Previewed {
  readonly emulator: Emulator;
  readonly client: ManagementClient;
  readonly project: string;
  readonly repository: string;
  /** The name of the preview of a pull request. */
  name(pullRequest: number, repository?: string): string;
  /** Makes the preview of a pull request, of an age in hours, from the Git branch `feature-` and the number; its ref. */
  preview(pullRequest: number, ageHours: number, more?: Readonly<Record<string, unknown>>): string;
  /** Makes a branch of any name, of an age in hours; its ref. */
  branch(name: string, ageHours: number, more?: Readonly<Record<string, unknown>>): string;
  /** Names of all branches but the default one. */
  names(): string[];
  close(): Promise<void>;
}

export async function startPreviewed(): Promise<Previewed> {
  const emulator = await startEmulator({ pace: 0.0001 });
  const { control } = emulator;
  const body = { name: "shop", organization_slug: "acme", db_pass: "db-password-of-the-test" };
  const { ref: project } = control.call("createProject", { body });
  control.advance(600_000);
  const client = new ManagementClient({ baseUrl: emulator.url, accessToken: emulator.accessToken });
  const repository = "https://forge.example.com/acme/shop";
  const nameOf = (pullRequest: number, of = repository): string =>
    previewName(DEFAULT_PREFIX, pullRequest, { repository: of, parentRef: project });
  const list = () => control.call("listBranches", { ref: project });
  const branch: Previewed["branch"] = (name, ageHours, more = {}) => {
    const { project_ref: ref } = control.call("createBranch", {
      ref: project,
      body: { branch_name: name, ...more },
    });
    control.edit(({ branches }) => {
      for (const record of branches.values()) {
        if (record.name === name) record.createdAt = Date.now() - ageHours * HOUR_MS;
      }
    });
    return ref;
  };
  return {
    emulator,
    client,
    project,
    repository,
    name: nameOf,
    branch,
    preview: (pullRequest, ageHours, more = {}) =>
      branch(nameOf(pullRequest), ageHours, { git_branch: `feature-${pullRequest}`, ...more }),
    names: () =>
      list()
        .filter(({ is_default: isDefault }) => !isDefault)
        .map(({ name }) => name),
    close: async () => {
      await client.close();
      await emulator.close();
    },
  };
}
