import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { packageFile } from "../../../machine/package-file";
import { spell, type DatabaseNames } from "./spelling";

interface ExtensionScript {
  /** The newest first, which is the default one. All install the same. */
  readonly versions: readonly string[];
  /** The only schema that it goes into. */
  readonly schema?: string;
  readonly requires?: string;
}

/** Extensions of SQL alone: `extensions/<name>.sql` says what each declares, where it declares anything. */
const scripts: Readonly<Record<string, ExtensionScript>> = {
  address_standardizer: { versions: ["3.3.7"] },
  address_standardizer_data_us: { versions: ["3.3.7"] },
  crypto_ext: { versions: ["3.1.8", "3.1.6", "3.1.5"], schema: "crypto_ext" },
  dblink: { versions: ["1.2"] },
  http: { versions: ["1.6", "1.5"] },
  hypopg: { versions: ["1.4.1"] },
  index_advisor: { versions: ["0.2.0"], requires: "hypopg" },
  intagg: { versions: ["1.1"] },
  pg_cron: { versions: ["1.6", "1.6.4", "1.5", "1.4"], schema: "pg_catalog" },
  pg_graphql: { versions: ["1.5.11", "1.5.9", "1.5.7"], schema: "graphql" },
  pg_jsonschema: { versions: ["0.3.3", "0.3.1"] },
  pg_net: { versions: ["0.14.0", "0.13.0", "0.10.0", "0.8.0", "0.7.1", "0.19.5", "0.20.0"] },
  pg_partman: { versions: ["5.2.4", "4.7.1"] },
  pg_prewarm: { versions: ["1.2"] },
  pg_repack: { versions: ["1.5.2", "1.5.0"], schema: "repack" },
  pg_stat_monitor: { versions: ["2.1"] },
  pg_tle: { versions: ["1.4.0"], schema: "pgtle" },
  pgaudit: { versions: ["17.0"] },
  pgjwt: { versions: ["0.2.0"], requires: "pgcrypto" },
  pgroonga: { versions: ["3.2.5", "3.0.7"] },
  pgroonga_database: { versions: ["3.2.5"] },
  pgrouting: { versions: ["3.4.1"] },
  pgrowlocks: { versions: ["1.2"] },
  pgstattuple: { versions: ["1.5"] },
  plpgsql_check: { versions: ["2.7"] },
  postgres_fdw: { versions: ["1.1"] },
  rum: { versions: ["1.3"] },
  sslinfo: { versions: ["1.2"] },
  svc_vault: { versions: ["0.3.1", "0.2.8"], schema: "vault" },
  wal2json: { versions: ["2.6"] },
  wrappers: { versions: ["0.5.3", "0.4.4", "0.4.3", "0.4.1"] },
  xml2: { versions: ["1.1"] },
};

/** What Postgres itself is built with, with the versions of the service that it has no script of. */
const builds: Readonly<Record<string, readonly string[]>> = {
  amcheck: [],
  autoinc: [],
  bloom: [],
  btree_gin: [],
  btree_gist: [],
  citext: [],
  cube: [],
  dict_int: [],
  dict_xsyn: [],
  earthdistance: [],
  file_fdw: [],
  fuzzystrmatch: [],
  hstore: [],
  insert_username: [],
  intarray: [],
  isn: [],
  lo: [],
  ltree: [],
  moddatetime: [],
  pageinspect: [],
  pg_buffercache: [],
  pg_freespacemap: [],
  pg_hashids: [],
  pg_stat_statements: [],
  pg_surgery: [],
  pg_trgm: [],
  pg_visibility: [],
  pg_walinspect: [],
  pgcrypto: [],
  pgmq: ["1.4.4", "1.5.1"],
  pgtap: ["1.2.0"],
  refint: [],
  seg: [],
  tablefunc: [],
  tcn: [],
  tsm_system_rows: [],
  tsm_system_time: [],
  unaccent: [],
  "uuid-ossp": [],
  vector: ["0.7.0", "0.7.4", "0.8.0"],
};

/** Types with modifiers need C, so that these cannot even be declared. */
const withoutBuild = [
  "postgis",
  "postgis_raster",
  "postgis_sfcgal",
  "postgis_tiger_geocoder",
  "postgis_topology",
];

/** Packages that bring one extension each. Built, they lie in `archives` beside the compiled code. */
export const EXTENSION_PACKAGES: Readonly<Record<string, string>> = {
  "@electric-sql/pglite-pg_hashids": "pg_hashids.tar.gz",
  "@electric-sql/pglite-pgmq": "pgmq.tar.gz",
  "@electric-sql/pglite-pgtap": "pgtap.tar.gz",
  "@electric-sql/pglite-pgvector": "vector.tar.gz",
};

const CONTROLS = join("share", "extension");
const LIBRARIES = "lib";
const DICTIONARIES = "tsearch_data";

/** What the folder's content depends on. */
export function extensionSources(names: DatabaseNames): string {
  const texts = Object.keys(scripts).map((name) => scriptOf(name) ?? "");
  return spell(
    [
      JSON.stringify([scripts, builds, withoutBuild, archives(), [CONTROLS, LIBRARIES, DICTIONARIES]]),
      ...texts,
    ].join("\n"),
    names,
  );
}

/**
 * Writes the extensions of the service into a folder, as Postgres keeps them. Users install them without being superusers:
 * each is trusted.
 */
export function writeExtensions(folder: string, names: DatabaseNames): void {
  mkdirSync(join(folder, CONTROLS), { recursive: true });
  mkdirSync(join(folder, LIBRARIES), { recursive: true });
  mkdirSync(join(folder, DICTIONARIES), { recursive: true });
  for (const archive of archives()) unpack(readFileSync(archive), folder);
  for (const [name, versions] of Object.entries(builds)) {
    const control = join(folder, CONTROLS, `${name}.control`);
    // A package may be missing where it was not installed.
    if (!existsSync(control)) continue;
    const text = readFileSync(control, "utf8");
    writeFileSync(control, `${text}\n${TRUSTED}`);
    const [, current = ""] = /^default_version *= *'(.*)'$/m.exec(text) ?? [];
    for (const version of versions) {
      const script = readFileSync(join(folder, CONTROLS, `${name}--${current}.sql`));
      writeFileSync(join(folder, CONTROLS, `${name}--${version}.sql`), script);
    }
  }
  for (const [name, script] of Object.entries(scripts))
    declare(folder, name, script, scriptOf(name) ?? "", names);
  for (const name of withoutBuild) declare(folder, name, { versions: ["3.3.7"] }, refusal(name), names);
}

const TRUSTED = "trusted = true\n";

function declare(
  folder: string,
  name: string,
  script: ExtensionScript,
  sql: string,
  names: DatabaseNames,
): void {
  const spelled = spell(name, names);
  const { schema, requires } = script;
  const control = [
    `default_version = '${script.versions[0] ?? ""}'`,
    "relocatable = false",
    ...(schema === undefined ? [] : [`schema = '${spell(schema, names)}'`]),
    ...(requires === undefined ? [] : [`requires = '${requires}'`]),
    TRUSTED,
  ];
  writeFileSync(join(folder, CONTROLS, `${spelled}.control`), control.join("\n"));
  for (const version of script.versions) {
    writeFileSync(join(folder, CONTROLS, `${spelled}--${version}.sql`), spell(sql, names));
  }
}

const refusal = (name: string): string => `
do $$ begin
  raise exception 'extension "${name}" is not available' using errcode = '0A000',
    detail = 'The emulator''s Postgres has no build of it, and its types cannot be imitated.',
    hint = 'Test migrations that need it on a branch of a project.';
end $$;
`;

function scriptOf(name: string): string | undefined {
  const file = packageFile(join("emulator", "postgres", "sql", "platform", "extensions", `${name}.sql`));
  return file && readFileSync(file, "utf8");
}

/** The archives of Postgres' own extensions, and those of the packages. */
function archives(): string[] {
  const own = dirname(require.resolve("@electric-sql/pglite"));
  const ownFiles = readdirSync(own).filter((name) => name.endsWith(".tar.gz"));
  const further = Object.entries(EXTENSION_PACKAGES).flatMap(([name, file]) => archiveOf(name, file) ?? []);
  return [...ownFiles.sort().map((name) => join(own, name)), ...further];
}

function archiveOf(name: string, file: string): string | undefined {
  const built = join(__dirname, "archives", file);
  if (existsSync(built)) return built;
  try {
    return join(dirname(require.resolve(name)), file);
  } catch {
    return undefined;
  }
}

const BLOCK = 512;

/** The controls, scripts, libraries and dictionaries of an archive (tar, gzip) with short names and no links. */
function unpack(archive: Buffer, folder: string): void {
  const tar = gunzipSync(archive);
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0;) {
    const field = (from: number, length: number): string =>
      tar.toString("latin1", at + from, at + from + length).replace(/\0.*$/s, "");
    const path = field(0, 100);
    const size = Number.parseInt(field(124, 12), 8);
    const content = tar.subarray(at + BLOCK, at + BLOCK + size);
    const [, script] = /^share\/postgresql\/extension\/([\w.+-]+)$/.exec(path) ?? [];
    const [, library] = /^lib\/postgresql\/([\w.+-]+)$/.exec(path) ?? [];
    if (script !== undefined && isOffered(script)) writeFileSync(join(folder, CONTROLS, script), content);
    const [, rules] = /^share\/postgresql\/tsearch_data\/([\w.+-]+)$/.exec(path) ?? [];
    if (rules !== undefined) writeFileSync(join(folder, DICTIONARIES, rules), content);
    if (library !== undefined) writeFileSync(join(folder, LIBRARIES, library), content);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}

/** Only the extensions that the service has can be created. */
function isOffered(file: string): boolean {
  const [name = ""] = file.split(/--|\.control$|\.rules$|\.sql$/);
  return !file.endsWith(".control") || builds[name] !== undefined;
}
