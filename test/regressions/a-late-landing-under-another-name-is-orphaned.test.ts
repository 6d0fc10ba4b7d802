import { declaring, messagesOf, startMachine } from "./machine";

it("is found, and replaced by what is declared now", async () => {
  const { scenario, machine, projectRef } = await startMachine();
  const slugs = (): string[] =>
    scenario.emulator.control.call("listFunctions", { ref: projectRef }).map(({ slug }) => slug);
  const program = (slug: string): ReturnType<typeof declaring> =>
    declaring("EdgeFunction", {
      projectRef,
      slug,
      files: { "index.ts": "Deno.serve(() => new Response())" },
    });
  try {
    await machine.upThatDies(program("before"), { point: "request deployFunction", isUnderWay: true });
    expect(slugs()).toEqual([]);
    const first = messagesOf(await machine.up(program("after"))).join("\n");
    expect(first).toContain(
      "An interrupted run created the EdgeFunction before with another slug than the program declares now",
    );
    expect(messagesOf(await machine.up(program("after")))).toEqual([]);
    expect(slugs()).toEqual(["after"]);
    expect(messagesOf(await machine.destroy())).toEqual([]);
    expect(slugs()).toEqual([]);
  } finally {
    await machine.close();
  }
});
