import fc from "fast-check";
import { Redactor } from "../../../../provider/client/redaction/redactor";
import { secretTexts } from "../../../../provider/lifecycle/schema/secrets";
import { connectionUrl } from "../../../../provider/resources/projects/project/connection";
import { project } from "../../../../provider/resources/projects/project/project";

const HOST = "db.abcdefghijklmnopqrst.service.example";
/** What means something in a URL, a quote or a query, and what has more than one byte. */
const AWKWARD = Array.from("@:/?#% []&=+!'\\\"ä😀a1");
const endpoint = { user: "postgres", password: "a-password", host: HOST, port: 5_432 };

describe("a connection's URL", () => {
  it("gives back any user, password and database", () => {
    const awkward = fc.string({ unit: fc.constantFrom(...AWKWARD), minLength: 1 });
    const text = fc.oneof(awkward, fc.string({ unit: "binary", minLength: 1 }));
    fc.assert(
      fc.property(text, text, text, (user, password, database) => {
        const url = new URL(connectionUrl({ ...endpoint, user, password, database }) ?? "");
        expect([url.protocol, url.hostname, url.port]).toEqual(["postgresql:", HOST, "5432"]);
        expect([url.username, url.password, url.pathname.slice(1)].map(decodeURIComponent)).toEqual([
          user,
          password,
          database,
        ]);
      }),
    );
  });

  it("is absent while a part of it is not known, and takes half a character for none", () => {
    for (const name of Object.keys(endpoint)) {
      for (const missing of [undefined, null]) {
        expect(connectionUrl({ ...endpoint, [name]: missing })).toBeUndefined();
      }
    }
    expect(connectionUrl({ ...endpoint, password: "half \ud83d" })).toContain(":half%20%EF%BF%BD@");
  });

  it("hides in messages by its password, so that host and engine can still be named", () => {
    const dbPass = "p@ss:word/with spaces";
    const connectionString = connectionUrl({ ...endpoint, password: dbPass }) ?? "";
    const redactor = new Redactor();
    for (const text of secretTexts(project, { dbPass, connectionString })) redactor.add(text);
    expect(redactor.redactQuoted(`no postgres at ${HOST}`)).toBe(`no postgres at ${HOST}`);
    expect(redactor.redactQuoted(`cannot reach ${connectionString}`)).toBe(
      `cannot reach postgresql://postgres:[secret]@${HOST}:5432/postgres`,
    );
  });
});
