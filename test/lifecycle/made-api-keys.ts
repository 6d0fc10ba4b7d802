import type { ApiKeyRecord, ProjectRecord } from "../../emulator/service/world/state";

/** A project's keys beside the two `default` ones that it is born with (service, API keys). */
export function madeApiKeys(project: ProjectRecord | undefined): ApiKeyRecord[] {
  return [...(project?.apiKeys.values() ?? [])].filter(({ name }) => name !== "default");
}
