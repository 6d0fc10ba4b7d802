import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";

/** The Management API that the demo talks to. */
export interface Service {
  readonly baseUrl: string;
  readonly accessToken: string;
  /** By which the provider reaches it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly organizationSlug: string;
  readonly customHostname: string | undefined;
  readonly description: string;
  /** Whether what is made outlives this process, so that the stack's state must not be lost. */
  readonly isLasting: boolean;
  /** Calls to the API since the last `clearCalls`; undefined where nobody counts. */
  countCalls(): number | undefined;
  clearCalls(): void;
  /** What of the demo is left after `destroy`. */
  leftovers(): readonly string[];
  close(): Promise<void>;
}

/** A hundredth of the running service's settling times: a project in half a second. */
const PACE = 0.01;

/**
 * The account named by the environment, or else an emulator on this machine, started as `options` say; both may have a
 * file of names of their own.
 */
export async function openService(env: NodeJS.ProcessEnv, options: EmulatorOptions = {}): Promise<Service> {
  const { MANAGEMENT_BASE_URL: baseUrl, MANAGEMENT_ACCESS_TOKEN: accessToken } = env;
  if (baseUrl && accessToken) return realAccount(environmentOf(baseUrl, accessToken, options.names), env);
  if (baseUrl || accessToken) {
    throw new Error(
      "Set both MANAGEMENT_BASE_URL and MANAGEMENT_ACCESS_TOKEN to run against an account, or neither for the emulator.",
    );
  }
  const emulator = await startEmulator({ pace: PACE, ...options });
  return emulated(emulator, environmentOf(emulator.url, emulator.accessToken, options.names));
}

interface Environment extends Readonly<Record<string, string>> {
  readonly MANAGEMENT_BASE_URL: string;
  readonly MANAGEMENT_ACCESS_TOKEN: string;
}

function environmentOf(baseUrl: string, accessToken: string, names: string | undefined): Environment {
  return {
    MANAGEMENT_BASE_URL: baseUrl,
    MANAGEMENT_ACCESS_TOKEN: accessToken,
    ...(names !== undefined && { MANAGEMENT_NAMES: names }),
  };
}

function realAccount(environment: Environment, env: NodeJS.ProcessEnv): Service {
  const { MANAGEMENT_BASE_URL: baseUrl, MANAGEMENT_ACCESS_TOKEN: accessToken } = environment;
  const organizationSlug = env["MANAGEMENT_ORGANIZATION"];
  if (!organizationSlug) {
    throw new Error(
      "Set MANAGEMENT_ORGANIZATION to the slug of the organization that the project is made in.",
    );
  }
  return {
    baseUrl,
    accessToken,
    environment,
    organizationSlug,
    customHostname: env["MANAGEMENT_CUSTOM_HOSTNAME"] || undefined,
    description: `the account at ${baseUrl}: this makes a real project, which may cost money`,
    isLasting: true,
    countCalls: () => undefined,
    clearCalls: () => undefined,
    leftovers: () => [],
    close: () => Promise.resolve(),
  };
}

function emulated(emulator: Emulator, environment: Environment): Service {
  const { control } = emulator;
  const stopOperator = selectAddonForNewProjects(emulator);
  return {
    baseUrl: emulator.url,
    accessToken: emulator.accessToken,
    environment,
    organizationSlug: "acme",
    customHostname: "db.shop.example.com",
    description: `the emulator at ${emulator.url}, settling ${1 / PACE} times as fast as the running service`,
    isLasting: false,
    countCalls: () => control.countCalls(),
    clearCalls: () => control.clearCalls(),
    leftovers: () => control.call("listProjects", {}).map(({ ref, name }) => `project ${name} (${ref})`),
    close: () => {
      stopOperator();
      return emulator.close();
    },
  };
}

/** The custom-domain add-on is bought by hand, not by the program: here somebody does so as soon as a project is healthy. */
function selectAddonForNewProjects({ control }: Emulator): () => void {
  const served = new Set<string>();
  const timer = setInterval(() => {
    for (const { ref, status } of control.call("listProjects", {})) {
      if (served.has(ref) || status !== "ACTIVE_HEALTHY") continue;
      control.call("applyAddon", { ref, body: { addon_type: "custom_domain", addon_variant: "cd_default" } });
      served.add(ref);
    }
  }, 20);
  return () => clearInterval(timer);
}
