import { startScenario, type Scenario } from "../kit/scenario";
import { InvalidInputError } from "../../provider/client/errors/errors";
import { errorOf, faults, invoke } from "./invoke";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const ask = (query: string, columns: object) =>
  invoke(scenario, "getQueryResult", { projectRef, query, columns });
const failure = (query: string, columns: object): Promise<Error> =>
  errorOf(scenario, "getQueryResult", { projectRef, query, columns });

describe("the columns of getQueryResult", () => {
  it("get the types that the program names; others, and null, stay as they are", async () => {
    const query = `select 7::bigint as small, 9007199254740993 as big, 1.50::numeric as price, '3' as count,
      true as ok, 5 as code, null::numeric as nothing, 2.5::numeric as rest, 1e3::float8 as rate`;
    const columns = {
      ...{ small: "integer", big: "string", price: "number", count: "integer", ok: "boolean" },
      ...{ code: "string", nothing: "number", rate: "integer" },
    };
    expect(await ask(query, columns)).toEqual({
      rows: [
        {
          ...{ small: 7, big: "9007199254740993", price: 1.5, count: 3, ok: true, code: "5" },
          ...{ nothing: null, rest: "2.5", rate: 1000 },
        },
      ],
      rowCount: 1,
    });
  });

  it("name the column and the row of a value that does not fit, and not the value", async () => {
    const texts = "select * from (values ('1'), ('confidential')) as t (n)";
    const text = await failure(texts, { n: "number" });
    expect(text).toBeInstanceOf(InvalidInputError);
    expect(text.message).toContain("The column n of row 2 is a string instead of number.");
    expect(text.message).not.toContain("confidential");
    const misfits = [
      await failure("select 9007199254740993 as n", { n: "integer" }),
      await failure("select 9007199254740993 as n", { n: "number" }),
      await failure("select 1.5 as n", { n: "integer" }),
      await failure("select 'NaN'::numeric as n", { n: "number" }),
      await failure("select 'true' as n", { n: "boolean" }),
      await failure("select array[1] as n", { n: "string" }),
      await failure("select '{}'::jsonb as n", { n: "number" }),
    ];
    for (const { message } of misfits) expect(message).toContain("The column n of row 1 is");
  });

  it("must be in the result, and of a type that there is", async () => {
    const { message } = await failure("select 1 as n", { m: "number" });
    expect(message).toContain("Row 1 of the result has no column m.");
    expect(await ask("select 1 as n where false", { m: "number" })).toEqual({ rows: [], rowCount: 0 });
    expect(faults("getQueryResult", { projectRef, query: "select 1", columns: { n: "bigint" } })).toEqual([
      'columns.n: got "bigint"; allowed: "boolean", "integer", "number", "string"',
    ]);
  });
});
