import fc from "fast-check";

/** Texts of others, each of one kind of attack on what they are written into. */
export const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  "line ends":
    'a\nrequire("fs").writeFileSync("pwned-1", "");//\r\nb\rc\vd\fe\u0085f\u2028g\u2029import os;#',
  quotes: `'"\`\\'\\"\\\`''""\`\`'''"""\`\`\` \\`,
  "ends of comments": "*/ --> --}} ]]> # // <!-- */ \"\"\" ''' --",
  interpolations: "${process.exit(1)} $${a} $(touch pwned-2) `touch pwned-3` #{x} %(x)s {{ x }} ${env.HOME}",
  "a call in YAML": "fn::readFile",
  terminal: "\u001b]52;c;cHduZWQ=\u0007\u001b[2K\u001b[1A\u009b31m\u0090\u009c",
  bidi: "\u202e\u2066gnp.exe\u2069\u200b\u00ad\ufeff\u{e0041}\u{1d173}\u3164\u2800",
  "commands of a forge": "\n::add-mask::x\n##[stop-commands]y\n::set-output name=a::b\n/label ~c\n@everyone",
  "a path upwards": "../../pwned-4",
  "an absolute path": "/tmp/pwned-5",
  "a prototype": "__proto__",
  "percent signs": "%0a%0d%2e%2e%2f%2fpwned %s %n",
  Markdown: '| x | <img src="x"> [y](javascript:z) ![w](http://w.example) <details> ```\n# h\n- l ~~~',
  shell: "A=1;touch pwned-6;B",
  environment: "X\nMANAGEMENT_BASE_URL=https://pwned.example.com\nBASH_ENV=/tmp/pwned-7\nY",
  "half a character": "a\ud800b\udc00",
  "a NUL": "a\u0000b",
  SQL: "x'; drop table y; --$management$ $$ $management_$",
};

/** One of them, or several behind one another with other characters between them. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...Object.values(HOSTILE_TEXTS)),
      fc.constantFrom(
        "\n",
        "\r",
        "'",
        '"',
        "`",
        "\\",
        "$",
        "{",
        "}",
        "#",
        ":",
        " ",
        "\t",
        "\u2028",
        "-",
        "|",
      ),
      fc.string({ unit: "binary", maxLength: 6 }),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(""));

/** What must not stand anywhere in a file for people: controls but tabs and line feeds, formats, line ends of other languages. */
export const UNSEEN = /[^\P{C}\n\t]|[\u2028\u2029]/u;
