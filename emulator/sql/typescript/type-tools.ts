/** What a module offers beside `Database`, to name one table's or enum's type in short. */
export function typeTools(schemas: readonly string[]): string[] {
  const main = JSON.stringify(schemas.includes("public") ? "public" : schemas[0]);
  return [
    `type DefaultSchema = Database[${main}]`,
    "",
    ...tool("Tables", ["Tables", "Views"], "Row"),
    ...tool("TablesInsert", ["Tables"], "Insert"),
    ...tool("TablesUpdate", ["Tables"], "Update"),
    ...tool("Enums", ["Enums"], undefined),
    ...tool("CompositeTypes", ["CompositeTypes"], undefined),
  ];
}

/** `Tables<"orders">` of the default schema, `Tables<{ schema: "sales" }, "orders">` of another one. */
function tool(name: string, groups: readonly string[], part: string | undefined): string[] {
  const of = (schema: string): string => `(${groups.map((group) => `${schema}["${group}"]`).join(" & ")})`;
  const other = `Database[Where["schema"]]`;
  const pick = (all: string, key: string): string =>
    part === undefined ? `${all}[${key}]` : `${all}[${key}] extends { ${part}: infer T } ? T : never`;
  return [
    `export type ${name}<`,
    `  Where extends keyof ${of("DefaultSchema")} | { schema: keyof Database },`,
    `  Name extends Where extends { schema: keyof Database } ? keyof ${of(other)} : never = never,`,
    `> = Where extends { schema: keyof Database }`,
    `  ? ${pick(of(other), "Name")}`,
    `  : Where extends keyof ${of("DefaultSchema")}`,
    `    ? ${pick(of("DefaultSchema"), "Where")}`,
    `    : never`,
    "",
  ];
}
