import { startEmulator, type Emulator } from "../../../emulator";
import { previewPermissions } from "../../../previews/permissions.generated";

/** The service with a project, and a token that has the permissions that `init` prints, and no other. */
export interface Service {
  readonly emulator: Emulator;
  readonly project: string;
  readonly token: string;
  /** Names of all branches but the default one. */
  branches(): string[];
  /** Passwords, keys and tokens that the service has now. */
  secrets(): string[];
}

export async function startService(): Promise<Service> {
  const emulator = await startEmulator({ pace: 0.001 });
  const { control } = emulator;
  const body = { name: "shop", organization_slug: "acme", db_pass: "db-password-of-production" };
  const { ref: project } = control.call("createProject", { body });
  control.advance(600_000);
  return {
    ...{ emulator, project },
    token: control.createToken({ permissions: previewPermissions }),
    branches: () =>
      control
        .call("listBranches", { ref: project })
        .filter(({ is_default: isDefault }) => !isDefault)
        .map(({ name }) => name)
        .sort(),
    secrets: () => {
      const all = JSON.stringify(control.snapshot());
      return [...all.matchAll(/"(?:apiKey|dbPass|jwtSecret)":"([^"]{8,})"/g)].map(
        ([, secret = ""]) => secret,
      );
    },
  };
}
