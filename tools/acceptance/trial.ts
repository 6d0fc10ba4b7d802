import { isDeepStrictEqual } from "node:util";
import { resourceByType } from "../../provider/catalog/catalog";
import { ApiError, NotFoundError } from "../../provider/client/errors/errors";
import { InitializationError } from "../../provider/engine/step/errors";
import type { SettledResource } from "../../provider/engine/create/create";
import type { Values } from "../../provider/define/values";
import type { Managed } from "../managed-resource";
import { isUnavailable } from "../../provider/resources/database/shared/restore-points";
import { isNewer } from "../../spec/table";
import { renamed } from "./own-objects";
import type { TrialContext, Subject } from "./subjects/subject";

/** What became of one resource type. */
export interface Outcome {
  readonly type: string;
  /** Steps that did what they must. */
  readonly done: readonly string[];
  /** What did not, each with its step. */
  readonly faults: readonly string[];
  /** Why it was not tried. */
  readonly leftOut?: string;
  /** Why nothing was changed outside Pulumi. */
  readonly unedited?: string;
}

/** Where a resource is tried. */
export interface TrialOptions {
  readonly context: () => TrialContext;
  readonly managed: () => Managed;
  /** Adds to what the context has found. */
  found(values: Values): void;
  begin(step: string): void;
}

/** The life of one resource. A step that fails ends what depends on it, and never the destroy. */
export class Trial {
  #made: SettledResource | undefined;
  #before: unknown;
  #inputs: () => Values;
  #unedited: string | undefined;
  /** What the service lacks for it. */
  #notOffered: string | undefined;
  readonly #done: string[] = [];
  readonly #faults: string[] = [];

  constructor(
    private readonly subject: Subject,
    private readonly options: TrialOptions,
  ) {
    this.#inputs = () => subject.inputs(options.context());
  }

  get id(): string | undefined {
    return this.#made?.id;
  }

  outcome(earlier?: Trial): Outcome {
    const { type } = this.subject;
    if (this.#notOffered !== undefined) return { type, done: [], faults: [], leftOut: this.#notOffered };
    return {
      type,
      done: earlier === undefined ? this.#done : [...earlier.#done, ...this.#done],
      faults: earlier === undefined ? this.#faults : [...earlier.#faults, ...this.#faults],
      ...(this.#unedited !== undefined && { unedited: this.#unedited }),
    };
  }

  /** Goes on with a project that another trial began, or that an earlier run left. */
  async takeOver(earlier: Trial | undefined): Promise<void> {
    this.#made = earlier === undefined ? undefined : earlier.#made;
    this.#before = [];
    if (this.#made !== undefined) return;
    // The answer to the create may be lost: the project is then found by its name.
    await this.#step("find", async () => {
      const { client, organization, projectName } = this.options.context();
      const { projects } = await client.listOrganizationProjects({ slug: organization, search: projectName });
      const names = [projectName, renamed(projectName)];
      const found = projects?.find(({ name }) => names.includes(name ?? ""));
      if (found !== undefined) this.#made = { id: found.ref, state: this.#inputs() };
    });
  }

  async create(): Promise<void> {
    const { subject, options } = this;
    const isReady = await this.#step("look", async () => {
      const found = await subject.prepare?.(options.context());
      if (found !== undefined) options.found(found);
      this.#before = await subject.look(options.context());
    });
    if (!isReady) return;
    await this.#step("create", async () => {
      this.#made = await options.managed().create(this.#inputs());
    });
  }

  /** Read, no change, edit behind its back, refresh, repair; an action is done once more. */
  async change(): Promise<void> {
    const { subject } = this;
    const isRead = await this.#step("read", () => this.#read());
    if (!isRead) return;
    await this.#step("no change", () => this.#expectNoChange());
    this.#unedited = subject.unedited?.(this.#before);
    if (this.#unedited !== undefined) return;
    if (subject.edit !== undefined) await this.#editAndRepair(subject.edit);
    else if (resourceByType(subject.type).isAction === true) await this.#again();
  }

  /** The service keeps no state of an action that others could change: its inputs change instead. */
  async #again(): Promise<void> {
    const { subject, options } = this;
    const first = this.#inputs;
    this.#inputs = () => subject.again?.(options.context()) ?? { ...first(), triggers: ["again"] };
    await this.#step("again", async () => {
      const { replaces } = options.managed().diff(this.#present().state, this.#inputs());
      if (replaces.length === 0) throw new Error("the plan does not do the action once more");
      await this.#replace();
    });
  }

  async #replace(): Promise<void> {
    await this.options.managed().delete(this.#present());
    this.#made = await this.options.managed().create(this.#inputs());
  }

  async #editAndRepair(edit: NonNullable<Subject["edit"]>): Promise<void> {
    const { options } = this;
    const isEdited = await this.#step("edit", () => edit(options.context(), this.#present()));
    if (!isEdited) return;
    const before = this.#present();
    let isGone = false;
    const isSeen = await this.#step("refresh", async () => {
      const read = await options.managed().read(before);
      isGone = read === undefined;
      if (read === undefined) return;
      this.#made = read;
      if (!options.managed().diff(read.state, this.#inputs()).changes) {
        throw new Error("the refresh does not show the change that was made outside Pulumi");
      }
    });
    if (!isSeen) return;
    await this.#step("repair", async () => {
      const managed = options.managed();
      if (isGone) this.#made = await managed.create(this.#inputs());
      else if (managed.diff(this.#present().state, this.#inputs()).replaces.length > 0) await this.#replace();
      else this.#made = await managed.update(this.#present(), this.#inputs());
    });
    await this.#step("repaired", async () => {
      await this.#read();
      await this.#expectNoChange();
    });
  }

  async destroy(): Promise<void> {
    const { subject, options } = this;
    const made = this.#made;
    if (made === undefined) return;
    const isDestroyed = await this.#step("destroy", () => options.managed().delete(made));
    if (!isDestroyed) return;
    await this.#step("nothing left", async () => {
      const left = await subject.look(options.context());
      if (isDeepStrictEqual(left, this.#before)) return;
      throw new Error(
        `before the create there was ${JSON.stringify(this.#before)}, and now there is ${JSON.stringify(left)}`,
      );
    });
  }

  #present(): SettledResource {
    if (this.#made === undefined) throw new Error("it does not exist");
    return this.#made;
  }

  async #read(): Promise<void> {
    const read = await this.options.managed().read(this.#present());
    if (read === undefined) throw new Error("the service does not have it");
    this.#made = read;
  }

  #expectNoChange(): Promise<void> {
    const { changes, properties } = this.options.managed().diff(this.#present().state, this.#inputs());
    if (!changes) return Promise.resolve();
    const paths = properties.map(({ path }) => path).join(", ");
    return Promise.reject(new Error(`the plan shows a change although nothing was edited: ${paths}`));
  }

  async #step(name: string, work: () => unknown): Promise<boolean> {
    try {
      this.options.begin(name);
      await work();
      this.#done.push(name);
      return true;
    } catch (error) {
      // It exists, and is not usable.
      if (error instanceof InitializationError) this.#made = error;
      if (this.#made === undefined && isNotOffered(error)) this.#notOffered = error.message;
      else this.#faults.push(`${name}: ${messageOf(error)}`);
      return false;
    }
  }
}

/** An older service has none of the newer operations, a smaller plan not all features, and some are not offered to anybody. */
export function isNotOffered(error: unknown): error is ApiError {
  if (isUnavailable(error)) return true;
  if (!(error instanceof ApiError)) return false;
  return (
    error.status === 402 ||
    (error.status === 404 && !(error instanceof NotFoundError) && isNewer(error.operation))
  );
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
