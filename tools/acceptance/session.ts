import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { ManagementClient } from "../../provider/client";
import type { Clock } from "../../provider/client/clock";
import { resourceByType } from "../../provider/catalog/catalog";
import type { Processes } from "../../provider/core/process-identity";
import type { Values } from "../../provider/define/values";
import { loadNames } from "../../spec/names/load-names";
import { manageResource, runtimeOfRun, type Managed } from "../managed-resource";
import type { Exchange } from "./exchange";
import { Needed } from "./needed";
import { OwnObjects } from "./own-objects";
import { requireStatedPrices } from "./costs";
import { startRecorder } from "./recorder";
import { whyLeftOut } from "./subjects";
import { projectSubject } from "./subjects/base";
import type { TrialContext, Subject } from "./subjects/subject";
import { isNotOffered, messageOf, Trial, type Outcome } from "./trial";

/** The service that is tried, or the emulator that is compared with it. */
export interface Target {
  readonly baseUrl: string;
  readonly accessToken: string;
  readonly names: string | undefined;
  readonly clock: Clock;
}

export type Wanted = Pick<
  TrialContext,
  "organization" | "projectName" | "region" | "dbPass" | "hostname" | "withCost"
> & { readonly subjects: readonly Subject[] };

export interface AcceptanceResult {
  readonly outcomes: readonly Outcome[];
  readonly exchanges: readonly Exchange[];
  /** Whether the service has nothing of the run any more. */
  readonly isClean: boolean;
  /** Of the organization; undefined if the service did not say. */
  readonly plan: string | undefined;
  readonly organizationName: string | undefined;
}

export interface RunEnvironment {
  /** Where the journal of the run is kept, and the files that resources read. */
  readonly folder: string;
  readonly signal: AbortSignal;
  say(line: string): void;
}

/**
 * Creates the project, tries every subject in it, and removes it, also after an abort. All calls go through the recorder,
 * which lets none pass that is about something else.
 */
export async function runAcceptance(
  target: Target,
  wanted: Wanted,
  environment: RunEnvironment,
): Promise<AcceptanceResult> {
  const run = await open(target, wanted, environment);
  try {
    return await runTrials(run, wanted, environment);
  } finally {
    await run.close();
  }
}

/** What a run works with: everything it sends passes the recorder. */
async function open(target: Target, wanted: Wanted, environment: RunEnvironment) {
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
    warn: (line: string): void => environment.say(line),
  };
  const machine = { client, baseUrl: target.baseUrl, clock, folder: environment.folder, ...lines };
  const files = join(environment.folder, "files");
  mkdirSync(files, { recursive: true });
  const known = { ref: "", plan: undefined as string | undefined, found: {} as Values };
  const context = (): TrialContext => ({
    ...wanted,
    ...known,
    client,
    folder: files,
    now: () => clock.now(),
    sleep: (ms) => clock.sleep(ms, environment.signal),
  });
  const managed = (type: string, signal: AbortSignal): Managed => {
    // Every step is a run of its own, as each `pulumi` command is.
    const runtime = runtimeOfRun(machine, newProcess(), signal);
    return manageResource(resourceByType(type), () => runtime);
  };
  const found = (values: Values): void => {
    known.found = { ...known.found, ...values };
  };
  const trial = (subject: Subject, signal: AbortSignal): Trial =>
    new Trial(subject, {
      context,
      managed: () => managed(subject.type, signal),
      found,
      begin: (step) => {
        signal.throwIfAborted();
        recorder.place = { type: subject.type, step };
      },
    });
  return {
    client,
    recorder,
    context,
    trial,
    needed: new Needed({ context, managed: (type) => managed(type, environment.signal), found }),
    /** What is learnt of the project and its organization. */
    learn(more: { readonly ref?: string; readonly plan?: string | undefined }): void {
      Object.assign(known, more);
    },
    async close(): Promise<void> {
      await client.close();
      await recorder.close();
    },
  };
}

type Run = Awaited<ReturnType<typeof open>>;

async function runTrials(run: Run, wanted: Wanted, environment: RunEnvironment): Promise<AcceptanceResult> {
  const { client, recorder, trial, context } = run;
  const outcomes: Outcome[] = [];
  const project = trial(projectSubject, environment.signal);
  let organization: Awaited<ReturnType<typeof client.getOrganization>> | undefined;
  const faults: string[] = [];
  try {
    recorder.place = { type: projectSubject.type, step: "organization" };
    organization = await client.getOrganization({ slug: wanted.organization });
    run.learn({ plan: organization.plan ?? undefined });
    environment.say("Project: creating");
    await project.create();
    const ref = project.id;
    if (ref !== undefined) {
      const tried = wanted.subjects.filter((subject) => whyLeftOut(subject, context()) === undefined);
      run.learn({ ref });
      recorder.place = { type: projectSubject.type, step: "prices" };
      await requireStatedPrices(client, ref, tried);
      await project.change();
      for (const subject of wanted.subjects) {
        if (environment.signal.aborted)
          outcomes.push({ type: subject.type, done: [], faults: [], leftOut: "the run ended before" });
        else outcomes.push(await outcomeOf(run, subject, tried, environment));
      }
    }
  } catch (error) {
    faults.push(messageOf(error));
  }
  // What an abort left half done goes with the project.
  environment.say("Project: destroying");
  const last = trial(projectSubject, new AbortController().signal);
  await last.takeOver(project);
  await last.destroy();
  const { done, faults: ofProject } = last.outcome(project);
  outcomes.unshift({ type: projectSubject.type, done, faults: [...faults, ...ofProject] });
  recorder.place = { type: projectSubject.type, step: "leftovers" };
  const left = await projectSubject.look(context()).catch(() => undefined);
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
  { organization, projectName }: Pick<Wanted, "organization" | "projectName">,
  environment: RunEnvironment,
): Promise<{ readonly isClean: boolean; readonly faults: readonly string[] }> {
  // Nothing is created, so that nothing else of the inputs matters.
  const inputs = { region: "", dbPass: "", hostname: undefined, withCost: false };
  const run = await open(target, { ...inputs, organization, projectName, subjects: [] }, environment);
  try {
    const trial = run.trial(projectSubject, environment.signal);
    await trial.takeOver(undefined);
    await trial.destroy();
    const left = await projectSubject.look(run.context()).catch(() => undefined);
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

/** Tries one subject, with what it needs; what no later one of those `tried` needs goes. */
async function outcomeOf(
  { trial, context, needed, recorder }: Run,
  subject: Subject,
  tried: readonly Subject[],
  environment: RunEnvironment,
): Promise<Outcome> {
  const { type } = subject;
  const leftOut = whyLeftOut(subject, context());
  if (leftOut !== undefined) {
    environment.say(`${type}: left out, as ${leftOut}`);
    return { type, done: [], faults: [], leftOut };
  }
  environment.say(`${type}: trying`);
  try {
    recorder.place = { type, step: "needs" };
    await needed.make(subject);
  } catch (error) {
    if (isNotOffered(error)) return { type, done: [], faults: [], leftOut: messageOf(error) };
    return { type, done: [], faults: [`needs: ${messageOf(error)}`] };
  }
  const one = trial(subject, environment.signal);
  await one.create();
  if (one.id !== undefined) {
    await one.change();
    await one.destroy();
  }
  const outcome = one.outcome();
  if (environment.signal.aborted) return outcome;
  try {
    recorder.place = { type, step: "needs no more" };
    await needed.removeAllBut(tried.slice(tried.indexOf(subject) + 1));
    return outcome;
  } catch (error) {
    return { ...outcome, faults: [...outcome.faults, `needs no more: ${messageOf(error)}`] };
  }
}
