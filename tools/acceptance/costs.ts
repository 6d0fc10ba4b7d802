import type { ManagementClient } from "../../provider/client";
import { field } from "../field";
import { needs, needsOf } from "./subjects/needs";
import type { CostItem, Subject } from "./subjects/subject";

/** How long a run may take at most. One more hour is counted, in which it removes what it created. */
export const LONGEST_HOURS = 3;

interface Price {
  readonly amount: number;
  readonly interval: "hourly" | "monthly";
}

interface Billed {
  readonly title: string;
  /** The variant in the service's listing of add-ons, whose price must not be higher. */
  readonly variant: string;
  readonly price: Price;
}

const PROJECT: Billed = {
  title: "the project's compute, of the smallest size",
  variant: "ci_micro",
  price: { amount: 0.01344, interval: "hourly" },
};

const SMALL: Billed = {
  title: "the project's compute, of the size small while something needs it",
  variant: "ci_small",
  price: { amount: 0.04, interval: "hourly" },
};

const BILLED: Readonly<Record<CostItem, Billed>> = {
  branch: { ...PROJECT, title: "the compute of a branch, of the smallest size" },
  custom_domain: {
    title: "the add-on for a custom domain, a whole month",
    variant: "cd_default",
    price: { amount: 10, interval: "monthly" },
  },
  ipv4: {
    title: "the add-on for an IPv4 address, a whole month",
    variant: "ipv4_default",
    price: { amount: 4, interval: "monthly" },
  },
  log_drain: {
    title: "a log drain",
    variant: "log_drain_default",
    price: { amount: 0.0822, interval: "hourly" },
  },
  pitr: {
    title: "the add-on for point-in-time recovery, a whole month",
    variant: "pitr_7",
    price: { amount: 100, interval: "monthly" },
  },
  compute: SMALL,
  read_replica: { ...SMALL, title: "the compute of a read replica, of the size small" },
};

/** The items by what they are. */
export function formatCosts(items: readonly CostItem[]): string {
  return items.map((item) => BILLED[item].title.split(",", 1)[0]).join(" and ");
}

/** A branch for the type itself and one for the actions on it are two. */
function billedOf(subjects: readonly Subject[]): Billed[] {
  const own = subjects.flatMap(({ costs = [] }) => costs);
  const needed = new Set(subjects.flatMap(needsOf).flatMap((name) => needs[name].costs ?? []));
  return [PROJECT, ...[...own, ...needed].map((item) => BILLED[item])];
}

function highest({ amount, interval }: Price): number {
  return interval === "monthly" ? amount : amount * (LONGEST_HOURS + 1);
}

/** What a run costs at most, item by item. */
export function costLines(subjects: readonly Subject[]): string[] {
  const billed = billedOf(subjects);
  const total = billed.reduce((sum, { price }) => sum + highest(price), 0);
  return [
    ...billed.map(
      ({ title, price }) =>
        `  ${title}: $${price.amount} ${price.interval}, at most $${highest(price).toFixed(2)}`,
    ),
    `  together at most $${total.toFixed(2)}, without taxes and what your plan itself costs`,
  ];
}

/** Throws if the service asks more for something than was stated. */
export async function requireStatedPrices(
  client: ManagementClient,
  ref: string,
  subjects: readonly Subject[],
): Promise<void> {
  const { available_addons: addons } = await client.listAddons({ ref });
  const variants = (addons ?? []).flatMap((addon) => addon.variants ?? []);
  for (const { title, variant, price } of billedOf(subjects)) {
    const asked = readPrice(variants.find((each) => field(each, "id") === variant)?.price);
    if (asked === undefined || highest(asked) <= highest(price)) continue;
    throw new Error(
      `The service asks $${asked.amount} ${asked.interval} for ${title}, more than the $${price.amount} ${price.interval} ` +
        "that was stated. Nothing more is created.",
    );
  }
}

function readPrice(price: unknown): Price | undefined {
  const [amount, interval] = [field(price, "amount"), field(price, "interval")];
  if (typeof amount !== "number" || (interval !== "hourly" && interval !== "monthly")) return undefined;
  return { amount, interval };
}
