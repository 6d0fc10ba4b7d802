import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { ManagementClient } from "../../provider/client";
import type { Clock } from "../../provider/client/clock";
import { resourceByType } from "../../provider/catalog";
import { InitializationError } from "../../provider/lifecycle/errors";
import type { Processes } from "../../provider/lifecycle/recovery/journal/process-mark";
import type { Made } from "../../provider/lifecycle/operations/create";
import { loadNames } from "../../spec/names/load-names";
import { manageResource, runtimeOfRun, type Managed } from "../managed-resource";
import type { Exchange } from "./exchange";
import { OwnObjects, renamed } from "./own-objects";
import { requireStatedPrices } from "./costs";
import { startRecorder } from "./recorder";
import { projectSubject } from "./subjects/base";
import type { Scene, Subject } from "./subjects/subject";

/** The service that is tried, or the emulator that is compared with it. */
export interface Target {
  readonly baseUrl: string;
  readonly accessToken: string;
  readonly names: string | undefined;
  readonly clock: Clock;
}

export type Wanted = Omit<Scene, "client" | "ref"> & { readonly subjects: readonly Subject[] };

/** What became of one resource type. */
export interface Outcome {
  readonly type: string;
  /** Steps that did what they must. */
  readonly done: readonly string[];
  /** What did not, each with its step. */
  readonly faults: readonly string[];
  /** Why it was not tried. */
  readonly leftOut?: string;
}

export interface Played {
  readonly outcomes: readonly Outcome[];
  readonly exchanges: readonly Exchange[];
  /** Whether the service has nothing of the run any more. */
  readonly isClean: boolean;
  /** Of the organization; undefined if the service did not say. */
  readonly plan: string | undefined;
  readonly organizationName: string | undefined;
}

interface Surroundings {
  /** Where the journal of the run is kept. */
  readonly folder: string;
  readonly signal: AbortSignal;
  say(line: string): void;
}

/**
 * Creates the project, tries every subject in it, and removes it, also after an abort. All calls go through the recorder,
 * which lets none pass that is about something else.
 */
export async function play(target: Target, wanted: Wanted, around: Surroundings): Promise<Played> {
  const run = await open(target, wanted, around);
  try {
    return await playWithin(run, wanted, around);
  } finally {
    await run.close();
  }
}

/** What a run works with: everything it sends passes the recorder. */
async function open(target: Target, wanted: Wanted, around: Surroundings) {
  const { clock, names } = target;
  const own = new OwnObjects(wanted.organization, wanted.projectName);
  const recorder = await startRecorder({ baseUrl: target.baseUrl, names: loadNames(names), own });
  const client = new ManagementClient({
    baseUrl: recorder.url,
    accessToken: target.accessToken,
    // The variable of the environment is the target's own affair.
    names: names ?? "",
    clock,
  });
  const lines = {
    progress: () => undefined,
    info: () => undefined,
    warn: (line: string): void => around.say(line),
  };
  const machine = { client, baseUrl: target.baseUrl, clock, folder: around.folder, ...lines };
  let ref = "";
  const scene = (): Scene => ({ ...wanted, client, ref });

  const trial = (subject: Subject, signal: AbortSignal): Trial => {
    const resource = resourceByType(subject.type);
    return new Trial(subject, {
      scene,
      // Every step is a run of its own, as each `pulumi` command is.
      managed: () => {
        const runtime = runtimeOfRun(machine, newProcess(), signal);
        return manageResource(resource, () => runtime);
      },
      begin: (step) => {
        signal.throwIfAborted();
        recorder.place = { type: subject.type, step };
      },
    });
  };
  return {
    client,
    recorder,
    scene,
    trial,
    set ref(of: string) {
      ref = of;
    },
    async close(): Promise<void> {
      await client.close();
      await recorder.close();
    },
  };
}

type Run = Awaited<ReturnType<typeof open>>;

async function playWithin(run: Run, wanted: Wanted, around: Surroundings): Promise<Played> {
  const { client, recorder, trial, scene } = run;
  const outcomes: Outcome[] = [];
  const project = trial(projectSubject, around.signal);
  let organization: Awaited<ReturnType<typeof client.getOrganization>> | undefined;
  const faults: string[] = [];
  try {
    recorder.place = { type: projectSubject.type, step: "organization" };
    organization = await client.getOrganization({ slug: wanted.organization });
    around.say("Project: creating");
    await project.create();
    const ref = project.id;
    if (ref !== undefined) {
      run.ref = ref;
      recorder.place = { type: projectSubject.type, step: "prices" };
      await requireStatedPrices(client, ref, wanted.subjects);
      await project.change();
      for (const subject of wanted.subjects) {
        if (around.signal.aborted) break;
        outcomes.push(await tried(subject, () => trial(subject, around.signal), scene(), around));
      }
    }
  } catch (error) {
    faults.push(messageOf(error));
  }
  // What an abort left half done goes with the project.
  around.say("Project: destroying");
  const last = trial(projectSubject, new AbortController().signal);
  await last.takeOver(project);
  await last.destroy();
  const { done, faults: ofProject } = last.outcome(project);
  outcomes.unshift({ type: projectSubject.type, done, faults: [...faults, ...ofProject] });
  recorder.place = { type: projectSubject.type, step: "leftovers" };
  const left = await projectSubject.look(scene()).catch(() => undefined);
  return {
    outcomes,
    exchanges: recorder.exchanges,
    isClean: isDeepStrictEqual(left, []),
    plan: organization?.plan ?? undefined,
    organizationName: organization?.name ?? undefined,
  };
}

/** Removes the project of a run that could not do so itself, by its name. */
export async function removeProject(
  target: Target,
  wanted: Wanted,
  around: Surroundings,
): Promise<{ readonly isClean: boolean; readonly faults: readonly string[] }> {
  const run = await open(target, wanted, around);
  try {
    const trial = run.trial(projectSubject, around.signal);
    await trial.takeOver(undefined);
    await trial.destroy();
    const left = await projectSubject.look(run.scene()).catch(() => undefined);
    return { isClean: isDeepStrictEqual(left, []), faults: trial.outcome().faults };
  } finally {
    await run.close();
  }
}

/** Each command is a process that has ended when the next one begins. */
function newProcess(): Processes {
  const own = { token: randomUUID(), pid: process.pid, started: "", machine: "" };
  return { own, isRunning: ({ token }) => token === own.token };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function tried(
  subject: Subject,
  begin: () => Trial,
  scene: Scene,
  around: Surroundings,
): Promise<Outcome> {
  const leftOut = subject.leftOut?.(scene);
  if (leftOut !== undefined) {
    around.say(`${subject.type}: left out, as ${leftOut}`);
    return { type: subject.type, done: [], faults: [], leftOut };
  }
  around.say(`${subject.type}: trying`);
  const trial = begin();
  await trial.create();
  if (trial.id !== undefined) {
    await trial.change();
    await trial.destroy();
  }
  return trial.outcome();
}

interface Stage {
  readonly scene: () => Scene;
  readonly managed: () => Managed;
  begin(step: string): void;
}

/** The life of one resource. A step that fails ends what depends on it, and never the destroy. */
class Trial {
  #made: Made | undefined;
  #before: unknown;
  readonly #done: string[] = [];
  readonly #faults: string[] = [];

  constructor(
    private readonly subject: Subject,
    private readonly stage: Stage,
  ) {}

  get id(): string | undefined {
    return this.#made?.id;
  }

  outcome(earlier?: Trial): Outcome {
    return {
      type: this.subject.type,
      done: earlier === undefined ? this.#done : [...earlier.#done, ...this.#done],
      faults: earlier === undefined ? this.#faults : [...earlier.#faults, ...this.#faults],
    };
  }

  /** Goes on with a project that another trial began, or that an earlier run left. */
  async takeOver(earlier: Trial | undefined): Promise<void> {
    this.#made = earlier === undefined ? undefined : earlier.#made;
    this.#before = [];
    if (this.#made !== undefined) return;
    // The answer to the create may be lost: the project is then found by its name.
    await this.#step("find", async () => {
      const { client, organization, projectName } = this.stage.scene();
      const { projects } = await client.listOrganizationProjects({ slug: organization, search: projectName });
      const names = [projectName, renamed(projectName)];
      const found = projects?.find(({ name }) => names.includes(name ?? ""));
      if (found !== undefined) this.#made = { id: found.ref, state: this.#inputs() };
    });
  }

  async create(): Promise<void> {
    const { subject, stage } = this;
    const isReady = await this.#step("look", async () => {
      await subject.prepare?.(stage.scene());
      this.#before = await subject.look(stage.scene());
    });
    if (!isReady) return;
    await this.#step("create", async () => {
      this.#made = await stage.managed().create(this.#inputs());
    });
  }

  /** Read, no change, edit behind its back, refresh, repair. */
  async change(): Promise<void> {
    const { subject, stage } = this;
    const isRead = await this.#step("read", () => this.#read());
    if (!isRead) return;
    await this.#step("no change", () => this.#expectNoChange());
    const isEdited = await this.#step("edit", () => subject.edit(stage.scene(), this.#present()));
    if (!isEdited) return;
    const before = this.#present();
    let isGone = false;
    const isSeen = await this.#step("refresh", async () => {
      const read = await stage.managed().read(before);
      isGone = read === undefined;
      if (read === undefined) return;
      this.#made = read;
      if (!stage.managed().diff(read.state, this.#inputs()).changes) {
        throw new Error("the refresh does not show the change that was made outside Pulumi");
      }
    });
    if (!isSeen) return;
    await this.#step("repair", async () => {
      const managed = stage.managed();
      if (isGone) this.#made = await managed.create(this.#inputs());
      else if (managed.diff(this.#present().state, this.#inputs()).replaces.length > 0) {
        await managed.delete(this.#present());
        this.#made = await stage.managed().create(this.#inputs());
      } else this.#made = await managed.update(this.#present(), this.#inputs());
    });
    await this.#step("repaired", async () => {
      await this.#read();
      await this.#expectNoChange();
    });
  }

  async destroy(): Promise<void> {
    const { subject, stage } = this;
    const made = this.#made;
    if (made === undefined) return;
    const isDestroyed = await this.#step("destroy", () => stage.managed().delete(made));
    if (!isDestroyed) return;
    await this.#step("nothing left", async () => {
      const left = await subject.look(stage.scene());
      if (isDeepStrictEqual(left, this.#before)) return;
      throw new Error(
        `before the create there was ${JSON.stringify(this.#before)}, and now there is ${JSON.stringify(left)}`,
      );
    });
  }

  #inputs(): Made["state"] {
    return this.subject.inputs(this.stage.scene());
  }

  #present(): Made {
    if (this.#made === undefined) throw new Error("it does not exist");
    return this.#made;
  }

  async #read(): Promise<void> {
    const read = await this.stage.managed().read(this.#present());
    if (read === undefined) throw new Error("the service does not have it");
    this.#made = read;
  }

  #expectNoChange(): Promise<void> {
    const { changes, properties } = this.stage.managed().diff(this.#present().state, this.#inputs());
    if (!changes) return Promise.resolve();
    const paths = properties.map(({ path }) => path).join(", ");
    return Promise.reject(new Error(`the plan shows a change although nothing was edited: ${paths}`));
  }

  async #step(name: string, work: () => unknown): Promise<boolean> {
    try {
      this.stage.begin(name);
      await work();
      this.#done.push(name);
      return true;
    } catch (error) {
      // It exists, and is not usable.
      if (error instanceof InitializationError) this.#made = error;
      this.#faults.push(`${name}: ${messageOf(error)}`);
      return false;
    }
  }
}
