import type { Samples, Scene } from "../sample";

function keep({ control, ref }: Scene, name: string): string {
  return control.createSnippet({ projectRef: ref, name, sql: "select 1" });
}

export const snippetSamples = {
  listSnippets: (scene) => {
    for (const name of ["orders", "users"]) keep(scene, name);
    return { project_ref: scene.ref, limit: "1", sort_by: "name", sort_order: "asc" };
  },
  getSnippet: (scene) => ({ id: keep(scene, "orders") }),
} satisfies Partial<Samples>;
