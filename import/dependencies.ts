import type { Values } from "../provider/define/values";

/** What an order is told by of a resource. */
interface Ordered {
  readonly type: string;
  readonly inputs: Values;
  readonly comment?: string;
}

/** Resources of one project that the service takes in one order only, and gives up in the other. */
interface Order {
  readonly later: string;
  readonly first: string;
  /** Whether it applies to these two. */
  readonly applies?: (later: Values, first: Values) => boolean;
}

const isAddon =
  (addonType: string) =>
  (_: Values, addon: Values): boolean =>
    addon["addonType"] === addonType;

/** Beside the project itself, to which everything refers. */
export const ORDERS: readonly Order[] = [
  // Without the add-on, the service refuses to set up, show or remove a hostname.
  { later: "CustomHostname", first: "BillingAddon", applies: isAddon("custom_domain") },
  // A project with an active hostname refuses a subdomain.
  { later: "CustomHostname", first: "VanitySubdomain" },
  // It activates that hostname.
  { later: "CustomHostnameActivation", first: "CustomHostname" },
  // The add-on decides which backups there are.
  { later: "BackupSchedule", first: "BillingAddon", applies: isAddon("pitr") },
  // A replica is created from the backups of the add-on.
  { later: "ReadReplica", first: "BillingAddon", applies: isAddon("pitr") },
  // Without SAML, the service may refuse to show or remove a provider.
  {
    later: "SsoProvider",
    first: "AuthConfig",
    applies: (_, { saml }) =>
      typeof saml === "object" && saml !== null && Reflect.get(saml, "enabled") === true,
  },
  // The legacy key becomes the first signing key of a project.
  { later: "SigningKey", first: "LegacySigningKey" },
  // A user has access only where the project allows it.
  { later: "JitUser", first: "JitAccess" },
  // A pool has no more connections than the database.
  {
    later: "PoolerConfig",
    first: "PostgresConfig",
    applies: (_, { maxConnections }) => maxConnections !== undefined,
  },
  // Migrations are applied one after another.
  {
    later: "Migration",
    first: "Migration",
    applies: ({ version: later }, { version: first }) => String(first) < String(later),
  },
];

/** What must exist before a resource and be deleted after it, though none of its values refers to it. */
export function listDependencies<T extends Ordered>(later: T, all: readonly T[]): readonly T[] {
  const orders = ORDERS.filter((order) => order.later === later.type);
  const found = all.filter(
    (first) =>
      first !== later &&
      first.comment === undefined &&
      orders.some(
        ({ first: type, applies = () => true }) => type === first.type && applies(later.inputs, first.inputs),
      ),
  );
  // Of those before it, the last one has the others before itself.
  return later.type === "Migration" ? found.toSorted(compareVersions).slice(-1) : found;
}

/** What cannot be deleted by itself, as a signing key in use: with its project, it is gone. */
export function isDeletedWithProject({ type }: Pick<Ordered, "type">): boolean {
  return type === "SigningKey";
}

function compareVersions({ inputs: one }: Ordered, { inputs: other }: Ordered): number {
  return String(one["version"]) < String(other["version"]) ? -1 : 1;
}

/** The same in an order in which each stands behind what `before` gives of it, and otherwise as they were. */
export function orderByDependency<T>(all: readonly T[], before: (each: T) => readonly T[]): T[] {
  const placed = new Set<T>();
  const place = (each: T, below: ReadonlySet<T>): void => {
    if (placed.has(each) || below.has(each)) return;
    for (const first of before(each)) if (all.includes(first)) place(first, new Set([...below, each]));
    placed.add(each);
  };
  for (const each of all) place(each, new Set());
  return [...placed];
}
