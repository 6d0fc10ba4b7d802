export const REF = "abcdefghijklmnopqrst";
export const PROVIDER = 'provider["registry.example.com/svc/svc"]';

/** A block of a state, as `terraform state pull` prints it. */
export interface Block {
  readonly module?: string;
  readonly mode: string;
  readonly type: string;
  readonly name: string;
  readonly provider: string;
  readonly instances: readonly {
    readonly index_key?: string | number;
    readonly attributes: Readonly<Record<string, unknown>>;
    readonly status?: string;
    readonly deposed?: string;
  }[];
}

export function block(type: string, attributes: Readonly<Record<string, unknown>>): Block {
  return {
    mode: "managed",
    type: `svc_${type}`,
    name: "main",
    provider: PROVIDER,
    instances: [{ attributes }],
  };
}

export function settingsBlock(attributes: Readonly<Record<string, unknown>>): Block {
  return block("settings", { id: REF, project_ref: REF, ...attributes });
}

export function stateText(resources: readonly Block[], more: Readonly<Record<string, unknown>> = {}): string {
  const head = { version: 4, terraform_version: "1.11.4", serial: 1, lineage: "x", outputs: {} };
  return JSON.stringify({ ...head, resources, check_results: null, ...more }, null, 2);
}
