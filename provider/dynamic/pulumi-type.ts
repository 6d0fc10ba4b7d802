/** Whether a value has this Pulumi type: Pulumi's own classes tell it by that property, and so do its policies, without an instance. */
export function hasPulumiType(value: unknown, type: string): boolean {
  return typeof value === "object" && value !== null && Reflect.get(value, "__pulumiType") === type;
}
