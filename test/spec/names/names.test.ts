import fc from "fast-check";
import { z } from "zod";
import type { Operation } from "../../../spec/operation";
import { operations } from "../../../spec/table";
import { ReservedNameError, type Names } from "../../../spec/names/names";
import { parseNames } from "../../../spec/names/read-names";
import { collectPlaceholders, vocabularyOf } from "../../../spec/names/vocabulary";
import { acme, acmeText } from "./acme";
import { arbitraryOf } from "./arbitrary-value";

const table = Object.entries<Operation>(operations);
const vocabulary = vocabularyOf(operations);
const placeholders = collectPlaceholders(vocabulary);

function namesOf(file: object): Names {
  const found = parseNames(JSON.stringify(file));
  if ("toWire" in found) return found;
  throw new Error(found.map(({ reason }) => reason).join("; "));
}

const patchAuth = operations.updateAuthConfig.body.schema;

describe("the placeholders", () => {
  // service, Names.
  it("are those of the specification, wherever the operation table has them", () => {
    const numbers = Array.from({ length: 21 }, (_, index) => String(index + 1).padStart(2, "0"));
    expect(placeholders).toMatchObject({
      paths: ["crypto-ext", "legacy-pooler", "rest-layer"],
      fieldPrefixes: [
        ...numbers.map((number) => `external_idp${number}_`),
        "partner_",
        "security_svc_",
        ..."ABCD".split("").map((letter) => `sms_vendor${letter}_`),
      ],
      values: {
        cloud_provider: ["AWS_PARTNER"],
        name: ["legacy_pooler"],
        provider: ["AWS_PARTNER"],
        services: ["legacy_pooler"],
        sms_provider: ["vendorA", "vendorB", "vendorC", "vendorC_verify", "vendorD"],
      },
      reservedPrefixes: ["SVC_"],
      issued: ["svc", "svc_jwt"],
      tool: [
        "differ",
        "engine_version",
        "former_local_smtp",
        "former_provider",
        "svc",
        "tpa1",
        "tpa2",
        "tpa3",
        "tpa4",
        "tpa5",
      ],
      schemas: ["crypto_ext", "legacy_pooler", "svc_functions", "svc_migrations"],
      publications: ["svc_realtime"],
      extensions: ["crypto_ext", "svc_vault"],
      eventTriggers: ["rest_ddl_watch", "rest_drop_watch"],
    });
    expect(placeholders.fields).toHaveLength(109);
  });

  it("are marked wherever a pattern keeps names for the service", () => {
    const unmarked = table.flatMap(([name, { params, query, body, success }]) =>
      [params, query, body?.schema, success.schema].flatMap((schema) =>
        /\(\?![A-Za-z]/.test(JSON.stringify(schema === undefined ? {} : patternsIn(schema))) &&
        !vocabularyOf({ [name]: operations[name as keyof typeof operations] }).reservedPrefixes.includes(
          "SVC_",
        )
          ? [name]
          : [],
      ),
    );
    expect(unmarked).toEqual([]);
  });
});

describe("what is on the wire", () => {
  const sent = {
    site_url: "https://shop.example.com",
    external_idp01_enabled: true,
    external_idp03_enabled: true,
    external_idp04_enabled: false,
    partner_oauth_client_id: "partner",
    security_svc_forwarded_for_enabled: null,
    sms_provider: "vendorC_verify",
    sms_vendorC_verify_account_sid: "vendorC",
    sms_vendorD_from: "idp01",
  };
  const spelled = {
    site_url: "https://shop.example.com",
    "external_acme-login_enabled": true,
    external_cobblo_enabled: true,
    external_cobblo_oidc_enabled: false,
    acmepal_oauth_client_id: "partner",
    security_ac_forwarded_for_enabled: null,
    sms_provider: "semapho_verify",
    sms_semapho_verify_account_sid: "vendorC",
    sms_yodlo_sender: "idp01",
  };

  it("has the installation's names of fields and values, and what users wrote as they wrote it", () => {
    expect(acme.toWire.value(patchAuth, sent)).toEqual(spelled);
    expect(acme.fromWire.value(patchAuth, spelled)).toEqual(sent);
  });

  // service, Newer fields.
  it("keeps fields that only a newer service has, by their prefix", () => {
    const newer = { "external_acme-login_newer": { "external_acme-login_x": 1 }, sms_yodlo_region: "yodlo" };
    const read = { external_idp01_newer: { "external_acme-login_x": 1 }, sms_vendorD_region: "yodlo" };
    expect(acme.fromWire.value(operations.getAuthConfig.success.schema, newer)).toEqual(read);
    expect(acme.toWire.value(patchAuth, read)).toEqual(newer);
  });

  it("has segments of paths, but no value in a path", () => {
    expect(acme.path("/v1/projects/{ref}/rest-layer")).toBe("/v1/projects/{ref}/acme-rest");
    expect(acme.path("/v1/projects/{ref}/config/database/legacy-pooler")).toBe(
      "/v1/projects/{ref}/config/database/acmebouncer",
    );
    const { params } = operations.getBranch;
    expect(acme.toWire.value(params, { ref: "r", name: "rest-layer" })).toEqual({
      ref: "r",
      name: "rest-layer",
    });
  });

  it("has values of a query and of an answer alike", () => {
    const { query, success } = operations.getHealth;
    expect(acme.toWire.value(query, { services: ["db", "legacy_pooler"] })).toEqual({
      services: ["db", "acme_bouncer"],
    });
    expect(acme.fromWire.value(success.schema, [{ name: "acme_bouncer" }, { name: "a new one" }])).toEqual([
      { name: "legacy_pooler" },
      { name: "a new one" },
    ]);
  });

  it("never has another text than the user's", () => {
    const text = "SVC_ vendorA pigeo external_idp01_enabled /rest-layer";
    const bodies: readonly (readonly [z.ZodType, unknown])[] = [
      [operations.createSecrets.body.schema, [{ name: "TOKEN", value: text }]],
      [operations.runQuery.body.schema, { query: text, parameters: [text, { sms_provider: "vendorA" }] }],
      [operations.createFunction.body.schema, { slug: "a", name: "vendorA", body: text }],
      [
        operations.createApiKey.body.schema,
        { type: "secret", name: "key", secret_jwt_template: { vendorA: text } },
      ],
      [operations.createProject.body.schema, { name: text, organization_slug: "a", db_pass: text }],
      [patchAuth, { smtp_pass: text, sms_template: text }],
    ];
    for (const [schema, body] of bodies) {
      expect(acme.toWire.value(schema, body)).toEqual(body);
      expect(acme.fromWire.value(schema, body)).toEqual(body);
    }
    const rows = [{ external_idp01_enabled: text, SVC_X: 1 }];
    expect(acme.fromWire.value(operations.runQuery.success.schema, rows)).toEqual(rows);
  });

  // service, Function secrets.
  it("has the installation's prefix in names that the service reserves", () => {
    const listed = [
      { name: "ACME_URL", value: "ACME_URL" },
      { name: "TOKEN", value: "x" },
    ];
    const read = [
      { name: "SVC_URL", value: "ACME_URL" },
      { name: "TOKEN", value: "x" },
    ];
    expect(acme.fromWire.value(operations.listSecrets.success.schema, listed)).toEqual(read);
    expect(acme.toWire.value(operations.deleteSecrets.body.schema, ["SVC_URL", "TOKEN"])).toEqual([
      "ACME_URL",
      "TOKEN",
    ]);
    const branch = { branch_name: "b", secrets: { SVC_A: "SVC_A" } };
    expect(acme.toWire.value(operations.createBranch.body.schema, branch)).toEqual({
      branch_name: "b",
      secrets: { ACME_A: "SVC_A" },
    });
  });

  it("never gets a name that the installation reserves and the specification does not", () => {
    const { schema } = operations.createSecrets.body;
    const given = [{ name: "ACME_URL", value: "x" }];
    expect(() => acme.request(schema, given)).toThrow(ReservedNameError);
    expect(() => acme.request(schema, given)).toThrow(/"ACME_URL" begins with "ACME_".*choose another name/);
  });
});

describe("a message", () => {
  it("has whole words in place of whole words, and keeps the rest", () => {
    const said =
      'body.external_idp01_client_id: needed where external_idp01_newer is "vendorA"; PATCH /v1/projects/x/rest-layer, ' +
      "SVC_URL, vendorAB, xvendorA, security";
    const spelled =
      'body.external_acme-login_client_id: needed where external_acme-login_newer is "pigeo"; ' +
      "PATCH /v1/projects/x/acme-rest, ACME_URL, vendorAB, xvendorA, security";
    expect(acme.toWire.text(said)).toBe(spelled);
    expect(acme.fromWire.text(spelled)).toBe(said);
  });

  it("keeps a word that the specification itself has for something else", () => {
    const names = namesOf({ values: { sms_provider: { vendorA: "storage" } } });
    expect(names.fromWire.text("storage is unhealthy")).toBe("storage is unhealthy");
    expect(names.fromWire.value(patchAuth, { sms_provider: "storage" })).toEqual({ sms_provider: "vendorA" });
  });
});

describe("there and back", () => {
  const places = table.flatMap(([name, { query, body, success }]) =>
    [query, success.schema, ...(body === undefined ? [] : [body.schema])].map(
      (schema) => [name, schema] as const,
    ),
  );

  it.each(places)("%s is what it was", (_name, schema) => {
    fc.assert(
      fc.property(arbitraryOf([schema]), (value) => {
        expect(acme.fromWire.value(schema, acme.toWire.value(schema, value))).toEqual(value);
        expect(acme.toWire.value(schema, acme.fromWire.value(schema, value))).toEqual(value);
      }),
      { numRuns: 25 },
    );
  });

  it("is what it was with every file that is taken, exchanged names included", () => {
    const someOf = (
      names: readonly string[],
      words: readonly string[],
    ): fc.Arbitrary<Record<string, string>> =>
      fc
        .tuple(fc.subarray([...names]), fc.shuffledSubarray([...words], { minLength: names.length }))
        .map(([chosen, given]) =>
          Object.fromEntries(chosen.map((name, index) => [name, given[index] ?? name])),
        );
    const [prefixes, vendors] = [placeholders.fieldPrefixes.slice(0, 4), ["vendorA", "vendorB", "vendorC"]];
    const [file, fields] = [
      fc.record({
        fieldPrefixes: someOf(prefixes, ["one_", "one_two_", "x-1_", ...prefixes]),
        fields: someOf(placeholders.fields.slice(0, 3), [
          "a",
          "b",
          "one_c",
          ...placeholders.fields.slice(0, 3),
        ]),
        values: fc.record({ sms_provider: someOf(vendors, ["other", "more", ...vendors]) }),
      }),
      fc.subarray([...placeholders.fields.slice(0, 16), "a", "one_enabled", "external_idp01_newer"]),
    ];
    let taken = 0;
    fc.assert(
      fc.property(file, fields, fc.constantFrom("vendorA", "vendorD", "other"), (given, keys, provider) => {
        const names = parseNames(JSON.stringify(given));
        if (!("toWire" in names)) return;
        taken += 1;
        const value = {
          ...Object.fromEntries(keys.map((key, index) => [key, index])),
          sms_provider: provider,
        };
        const spelled = names.toWire.value(patchAuth, value) as object;
        expect(Object.keys(spelled)).toHaveLength(Object.keys(value).length);
        expect(names.fromWire.value(patchAuth, spelled)).toEqual(value);
      }),
      { numRuns: 400 },
    );
    expect(taken).toBeGreaterThan(20);
  });

  it("is what it was for every word of a message", () => {
    const words = [
      ...vocabulary.objects.flat(),
      ...vocabulary.enums.flatMap(({ values }) => values),
      "plain",
      "external_idp07_newer",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words)), (said) => {
        const text = said.join(", ");
        expect(acme.fromWire.text(acme.toWire.text(text))).toBe(text);
      }),
    );
  });
});

describe("a names file", () => {
  const faultsOf = (text: string): string[] => {
    const found = parseNames(text);
    if ("toWire" in found) throw new Error("the file was taken");
    return found.map(({ line, reason }) => `${line}: ${reason}`);
  };

  it("may leave out what is spelled as in the specification", () => {
    expect(namesOf({}).path("/v1/projects/{ref}/rest-layer")).toBe("/v1/projects/{ref}/rest-layer");
    expect(
      namesOf({ paths: { "rest-layer": "rest" } }).toWire.value(patchAuth, { sms_provider: "vendorA" }),
    ).toEqual({
      sms_provider: "vendorA",
    });
  });

  it("may exchange two placeholders", () => {
    const names = namesOf({
      fieldPrefixes: { external_idp01_: "external_idp02_", external_idp02_: "external_idp01_" },
    });
    const value = { external_idp01_enabled: true, external_idp02_enabled: false };
    expect(names.toWire.value(patchAuth, value)).toEqual({
      external_idp02_enabled: true,
      external_idp01_enabled: false,
    });
  });

  it.each([
    ["no JSON", '{\n  "paths": {\n    "rest-layer" "x"\n  }\n}', "3: no JSON: Unexpected token String found"],
    ["lists too deep", "[".repeat(100_000), "1: no JSON: it is nested too deeply"],
    ["objects too deep", '{"a":'.repeat(50_000), "1: no JSON: it is nested too deeply"],
    [
      "lists too deep that end",
      `${"[".repeat(3_000)}${"]".repeat(3_000)}`,
      "1: no JSON: it is nested too deeply",
    ],
    ["an end too early", '{\n  "paths": {\n', "2: no JSON: Unexpected token LBrace found. (2:12)"],
    ["more after the end", "{}\n{}", "2: no JSON: Unexpected token LBrace found"],
    ["something else than an object", "[]", "1: the file takes placeholders with their words: {…}"],
    ["an unknown section", '{\n  "path": {}\n}', '2: "path" is no section of a names file'],
    [
      "an unknown placeholder",
      '{\n "paths": {\n  "rest": "x"\n }\n}',
      '3: "rest" is no placeholder in "paths"',
    ],
    [
      "a field that is no placeholder",
      '{\n "fields": {\n  "site_url": "x"\n }\n}',
      '3: "site_url" is no placeholder',
    ],
    [
      "an unknown field of values",
      '{\n "values": {\n  "plan": {}\n }\n}',
      '3: "plan" is no field that takes',
    ],
    [
      "an unknown value",
      '{\n "values": {\n  "sms_provider": {\n   "vendorE": "x"\n  }\n }\n}',
      '4: "vendorE" is no placeholder in "values.sms_provider"',
    ],
    [
      "a word of another kind",
      '{\n "paths": {\n  "rest-layer": 1\n }\n}',
      '3: "paths.rest-layer" takes a text',
    ],
    [
      "a word that is none",
      '{\n "paths": {\n  "rest-layer": "a/b"\n }\n}',
      '3: "paths.rest-layer" takes letters, digits, `_` and `-`',
    ],
    [
      "a placeholder with two words",
      '{\n "paths": {\n  "rest-layer": "a",\n  "rest-layer": "b"\n }\n}',
      '4: "rest-layer" is there a second time',
    ],
    [
      "a word for two placeholders",
      '{\n "fieldPrefixes": {\n  "external_idp01_": "external_a_",\n  "external_idp02_": "external_a_"\n }\n}',
      '4: "external_a_" stands for "external_idp01_" already',
    ],
    [
      "a value with another word elsewhere",
      '{\n "values": {\n  "services": { "legacy_pooler": "a" },\n  "name": { "legacy_pooler": "b" }\n }\n}',
      '4: "legacy_pooler" is "a" in "services"',
    ],
    [
      "a value with its word in one of two fields",
      '{\n "values": {\n  "services": { "legacy_pooler": "a" }\n }\n}',
      '3: "legacy_pooler" is a value of "name" too',
    ],
    [
      "a path that is there already",
      '{\n "paths": {\n\n  "legacy-pooler": "pooler"\n }\n}',
      "4: /v1/projects/{}/config/database/pooler is a path already",
    ],
    [
      "a field that is there already",
      '{\n "fields": {\n  "partner_oauth_client_id": "smtp_host"\n }\n}',
      '3: "smtp_host" would be both "smtp_host" and "partner_oauth_client_id"',
    ],
    [
      "a placeholder that keeps its place",
      '{\n "fieldPrefixes": {\n  "external_idp01_": "external_idp02_"\n }\n}',
      '3: "external_idp02_enabled" would be both',
    ],
    [
      "a value that is there already",
      '{\n "values": {\n  "services": { "legacy_pooler": "pooler" },\n  "name": { "legacy_pooler": "pooler" }\n }\n}',
      '3: "pooler" is a value of "services" already',
    ],
    [
      "a prefix that begins with the other",
      '{\n "reservedPrefixes": {\n  "SVC_": "SVC_ACME_"\n }\n}',
      '3: one of "SVC_" and "SVC_ACME_" begins with the other',
    ],
  ])("is refused with the line: %s", (_what, text, said) => {
    expect(faultsOf(text).join("\n")).toContain(said);
  });

  it("is told all its faults at once, in the order of its lines", () => {
    const text = '{\n "fields": {\n  "a": "x"\n },\n "paths": {\n  "rest-layer": 1\n }\n}';
    expect(faultsOf(text).map((fault) => fault.split(":")[0])).toEqual(["3", "6"]);
  });

  it("has, in the tests' own, a word for every placeholder", () => {
    const given = JSON.parse(acmeText) as Record<string, object>;
    for (const section of [
      "paths",
      "fieldPrefixes",
      "reservedPrefixes",
      "issued",
      "tool",
      "schemas",
      "roles",
      "publications",
      "extensions",
      "eventTriggers",
    ] as const) {
      expect(Object.keys(given[section] ?? {}).toSorted()).toEqual(placeholders[section]);
    }
    expect(
      Object.fromEntries(
        Object.entries(given["values"] ?? {}).map(([field, words]) => [field, Object.keys(words as object)]),
      ),
    ).toEqual(placeholders.values);
  });
});

/** The patterns of every text in a schema. */
function patternsIn(schema: z.ZodType): unknown {
  return z.toJSONSchema(schema, { unrepresentable: "any", io: "input" });
}
