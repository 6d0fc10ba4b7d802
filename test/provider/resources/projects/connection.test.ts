import fc from "fast-check";
import { Redactor } from "../../../../provider/client/redaction/redactor";
import { listSecretTexts } from "../../../../provider/engine/schema/secrets";
import {
  formatConnectionUrl,
  formatApiUrl,
} from "../../../../provider/resources/projects/project/connection";
import { hostileText } from "../../../kit/hostile-texts";
import { project } from "../../../../provider/resources/projects/project/project";

const HOST = "db.abcdefghijklmnopqrst.service.example";
/** What means something in a URL, a quote or a query, and what has more than one byte. */
const AWKWARD = Array.from("@:/?#% []&=+!'\\\"ä😀a1");
const endpoint = { user: "postgres", password: "a-password", host: HOST, port: 5_432 };

describe("a connection's URL", () => {
  it("gives back any user, password and database", () => {
    const awkward = fc.string({ unit: fc.constantFrom(...AWKWARD), minLength: 1 });
    const text = fc.oneof(awkward, fc.string({ unit: "binary", minLength: 1 }));
    const role = text.filter((user) => !/\p{Cc}/u.test(user));
    fc.assert(
      fc.property(role, text, text, (user, password, database) => {
        const url = new URL(formatConnectionUrl({ ...endpoint, user, password, database }) ?? "");
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
        expect(formatConnectionUrl({ ...endpoint, [name]: missing })).toBeUndefined();
      }
    }
    expect(formatConnectionUrl({ ...endpoint, password: "half \ud83d" })).toContain(":half%20%EF%BF%BD@");
  });

  it("is absent for a host, a port or a user that is none, and has no line end of any part", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const urls = [
          formatConnectionUrl({ ...endpoint, host: text }),
          formatConnectionUrl({ ...endpoint, host: `${HOST}${text}` }),
          formatConnectionUrl({ ...endpoint, user: text, password: text, database: text }),
          formatApiUrl("abcdefghijklmnopqrst", `db.abcdefghijklmnopqrst.${text}`),
        ];
        const wrong = urls.filter((url) => url !== undefined && (/[^!-~]/.test(url) || !URL.canParse(url)));
        if (wrong.length > 0) throw new Error(JSON.stringify(wrong));
      }),
      {
        examples: ["a\nBASH_ENV=/tmp/x", "a@b", "a/b", "a:1", "a?b", "a#b", "..", "-a"].map(
          (text) => [text] as [string],
        ),
      },
    );
    for (const host of ["a@b", "a/b", "a:1", "a?b", "a#b", "a b", "a\nb", "a\\b", "%61", ""])
      expect({ host, url: formatConnectionUrl({ ...endpoint, host }) }).toEqual({ host, url: undefined });
    for (const user of ["postgres\nBASH_ENV=/tmp/x", "postgres\r", "\u0085", "a\u0000", "\u001b[2K", ""])
      expect({ user, url: formatConnectionUrl({ ...endpoint, user }) }).toEqual({ user, url: undefined });
    for (const port of [0, -1, 65_536, 1.5, NaN, 1e21])
      expect({ port, url: formatConnectionUrl({ ...endpoint, port }) }).toEqual({ port, url: undefined });
  });

  it("hides in messages by its password, so that host and engine can still be named", () => {
    const dbPass = "p@ss:word/with spaces";
    const connectionString = formatConnectionUrl({ ...endpoint, password: dbPass }) ?? "";
    const redactor = new Redactor();
    for (const text of listSecretTexts(project, { dbPass, connectionString })) redactor.add(text);
    expect(redactor.redactQuoted(`no postgres at ${HOST}`)).toBe(`no postgres at ${HOST}`);
    expect(redactor.redactQuoted(`cannot reach ${connectionString}`)).toBe(
      `cannot reach postgresql://postgres:[secret]@${HOST}:5432/postgres`,
    );
  });
});
