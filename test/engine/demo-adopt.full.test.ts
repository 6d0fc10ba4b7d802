import { playAdoption, SECRETS } from "../../tools/demo-adopt/story";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";

beforeAll(() => engineForTests(), PROVISIONING_TIMEOUT_MS);

it("brings a project made by hand under Pulumi, up to its first merge, with every step as it must be", async () => {
  const said: string[] = [];
  try {
    const rows = await playAdoption(await engineForTests(), (line) => said.push(line));
    expect({ faults: rows.flatMap(({ faults }) => faults), steps: rows.length }).toEqual({
      faults: [],
      steps: 7,
    });
    for (const secret of SECRETS) expect(said.join("\n")).not.toContain(secret);
  } catch (error) {
    process.stderr.write(`${said.join("\n")}\n`);
    throw error;
  }
});
