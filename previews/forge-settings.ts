import { ForgeError, type Forge } from "./forge/forge";

interface ForgeSetting {
  readonly kind: "secret" | "variable";
  readonly name: string;
}

function createVariableSetting(name: string): ForgeSetting {
  return { kind: "variable", name };
}

function createSecretSetting(name: string): ForgeSetting {
  return { kind: "secret", name };
}

/** What the jobs of previews read: of each, the ways to set it. */
const NEEDED: readonly (readonly (readonly ForgeSetting[])[])[] = [
  [[createVariableSetting("MANAGEMENT_BASE_URL")]],
  [[createSecretSetting("MANAGEMENT_ACCESS_TOKEN")]],
  [
    [createSecretSetting("PULUMI_BACKEND_URL"), createSecretSetting("PULUMI_CONFIG_PASSPHRASE")],
    [createSecretSetting("PULUMI_ACCESS_TOKEN")],
  ],
];

/** What of the jobs' variables and secrets the forge does not have, as a sentence; `isComplete` is undefined where it does not tell. */
export interface ForgeSettings {
  readonly isComplete: boolean | undefined;
  readonly says: string;
}

const UNASKED: ForgeSettings = {
  isComplete: undefined,
  says: "To see what is still to be set in the forge, run this with GITHUB_REPOSITORY and GITHUB_TOKEN, or with CI_PROJECT_ID, CI_API_V4_URL and GITLAB_TOKEN, of a user who may list its variables.",
};

/** Asks the forge which names are set; their values are no question. */
export async function checkForgeSettings(forge: Forge | undefined): Promise<ForgeSettings> {
  if (forge === undefined) return UNASKED;
  try {
    const { secrets, variables } = await forge.listSettings();
    const isSet = ({ kind, name }: ForgeSetting): boolean =>
      (kind === "secret" ? secrets : variables).includes(name);
    const lacking = NEEDED.flatMap((ways) => {
      const left = ways.map((way) => way.filter((setting) => !isSet(setting)));
      if (left.some((way) => way.length === 0)) return [];
      return [left.map((way) => way.map(({ kind, name }) => `${kind} ${name}`).join(" and ")).join(", or ")];
    });
    return lacking.length === 0
      ? { isComplete: true, says: "The forge has all that the jobs of previews read." }
      : { isComplete: false, says: `Still to be set in the forge: ${lacking.join("; ")}.` };
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    return {
      isComplete: undefined,
      says: `The forge does not tell what is still to be set in it. ${error.message}`,
    };
  }
}
