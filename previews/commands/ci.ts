import { isDeepStrictEqual } from "node:util";
import { Option, type Command } from "commander";
import {
  decide,
  type Decision,
  type CiFacts,
  type Making,
  type PullState,
  type StackFacts,
} from "../ci/decision";
import { describeRecreation, explainStayingLabel, readCiEvent, type CiEvent } from "../ci/event";
import { writeJobOutputs, writeJobVariables } from "../ci/job-files";
import { formatFailureComment, formatFailureText, formatSuccessComment, formatSuccessText } from "../comment";
import { formatChangedNames } from "../changed-names";
import type { EngineOutput } from "../engine-command";
import { explainLeftOutOutput, writeEnvFile } from "../env-file";
import { ForgeUnavailableError, type Forge } from "../forge/forge";
import { findRepositoryAddress, findJobRun } from "../forge/from-environment";
import { runInterruptible } from "../interruption";
import { holdsJobSecret } from "../job-secrets";
import { identifyPreview, NotThePreviewError, type Preview, type Previews } from "../preview";
import { formatIntegrationBranch, findIntegrationBranch, SWITCH_ONE_OFF } from "../preview-branch";
import { runOnStack, type EndedRun } from "../preview-run";
import { ASKED_FOR, explainGoneBranches } from "../recreation";
import { explainMissedStack, isProjectName, requireProject } from "../program-project";
import { RecordedRuns } from "../recorded-runs";
import { redactSecrets, type PrintedStreams } from "../redaction";
import { emptyPreview, removePreview } from "../removal";
import { parseRemadeFor, parseRunRecords, markBranchRemade, addRunRecords } from "../run-records";
import { toRunReport, type RunReport } from "../run-report";
import {
  findRepositoryFolder,
  formatStackName,
  previewStacks,
  readStack,
  requireStackOf,
  findSummary,
} from "../stacks";
import { describeFailure, type PreviewStack } from "../stacks";
import type { StackState } from "../stack-state";
import { UntrustedStateError } from "../state-code";
import { formatTimes } from "../times";
import { adviseOnLock, parseLocks, type StackLock, type Unlocking } from "../unlocking";
import { formatCode } from "../../provider/core/markdown";
import { writeOwnFile } from "../../provider/core/own-file";
import { DEFAULT_PREFIX, repositoryAddress } from "../../provider/resources/branches/shared/preview-identity";
import {
  allowPackage,
  PreviewsCommandError,
  commentAuthor,
  createOwnForge,
  prefix,
  toPreviews,
  repository,
  createStackPattern,
  topic,
  createPrefixParser,
  useClient,
  workDir,
  type Perform,
} from "./command-line";
import { sweepAll } from "./sweep";
import { isReference } from "../../spec/project-reference";

const DEFAULT_PATTERN = "{name}";
/** No job of the workflows lasts so long. */
const UNLOCK_AFTER_MINUTES = 90;

interface CiOptions {
  readonly project?: string | undefined;
  readonly repository?: string | undefined;
  readonly prefix: string;
  readonly stackPattern: string;
  readonly workDir: string;
  readonly pulumiProject?: string | undefined;
  readonly topic?: string | undefined;
  readonly commentAuthor?: string | undefined;
  readonly allowPackage: readonly string[];
  readonly drafts: boolean;
  readonly dotenv?: string | undefined;
  readonly envPrefix: string;
  readonly commentFile?: string | undefined;
  readonly openPullRequests?: string | undefined;
  readonly noneOpen?: true | undefined;
}

export function addCi(program: Command, perform: Perform): void {
  program
    .command("ci")
    .description(
      "does what a job is for: makes, changes, recreates or removes the preview of the pull request, or sweeps, by the event of the forge " +
        "or by PREVIEW_EVENT, PREVIEW_PULL_REQUEST and PREVIEW_GIT_BRANCH; writes the comment, and hands the preview to later steps",
    )
    .option("--project <ref>", "project that the branches are made from (default: PARENT_PROJECT_REF)")
    .addOption(repository)
    .addOption(prefix)
    .addOption(createStackPattern(DEFAULT_PATTERN).default(DEFAULT_PATTERN))
    .addOption(workDir)
    .addOption(
      new Option(
        "--pulumi-project <name>",
        "the project that the program's Pulumi.yaml has to name: a preview in another one would not be found when it is removed",
      ).argParser(parseProjectName),
    )
    .option("--no-drafts", "makes no preview of a draft")
    .option("--dotenv <file>", "writes the outputs of the preview into this .env file, without secrets")
    .addOption(
      new Option("--env-prefix <text>", "with --dotenv, what the names of its variables begin with")
        .default("VITE_")
        .argParser(createPrefixParser("env-prefix")),
    )
    .option(
      "--comment-file <file>",
      "writes the comment's text into this file, or - for standard output, for another tool to post",
    )
    .option("--open-pull-requests <file>", "for the sweep, as of the command sweep")
    .option("--none-open", "for the sweep, as of the command sweep")
    .addOption(allowPackage)
    .addOption(commentAuthor)
    .addOption(topic)
    .action((options: CiOptions) =>
      perform((streams) =>
        runInterruptible(
          (signal) => runCi(options, streams, signal),
          (line) => streams.err(`${line}\n`),
        ),
      ),
    );
}

function parseProjectName(text: string): string {
  if (isProjectName(text)) return text;
  throw new PreviewsCommandError(
    `--pulumi-project takes the name of a project of Pulumi, as previews; got ${JSON.stringify(text)}`,
  );
}

async function runCi(options: CiOptions, streams: PrintedStreams, signal: AbortSignal): Promise<number> {
  const event = readCiEvent(process.env);
  const job = new CiJob(options, event, streams, signal);
  const decision = await job.decide();
  switch (decision.does) {
    case "nothing":
      return job.finish("none", decision.why);
    case "sweep":
      return job.sweepPreviews();
    case "remove":
      return job.removePreview();
    case "make":
    case "change":
    case "recreate":
      return job.makePreview(decision);
    default:
      return job.refuse();
  }
}

/** One job of a forge, from its event to its summary. */
class CiJob {
  private readonly beganMs = Date.now();
  private known: CiFacts = {};
  private asked: { readonly of: Previews; readonly preview: Preview } | undefined;
  private state: StackState | undefined;
  private toRemove: PreviewStack | undefined;
  private refusal: Error | undefined;
  private whyGone: string | undefined;
  private doubled: string | undefined;
  private recordedRuns: RecordedRuns | undefined;
  private knownForge: Forge | undefined;

  constructor(
    private readonly options: CiOptions,
    private readonly event: CiEvent,
    private readonly streams: PrintedStreams,
    private readonly signal: AbortSignal,
  ) {}

  /** Looks at what makes a difference, and no more. */
  async decide(): Promise<Exclude<Decision, { does: "ask" }>> {
    for (;;) {
      const decision = decide(this.event, this.known, this.options);
      if (decision.does !== "ask") return decision;
      if (decision.about === "pull request") this.known = { ...this.known, pull: await this.readPullState() };
      else this.known = { ...this.known, stack: await this.reportFailure(() => this.readStackFacts()) };
    }
  }

  /** An error before the run is told as one of the run: a removal, which the sweep tries again, changes no comment. */
  private async reportFailure<T>(look: () => Promise<T>): Promise<T> {
    try {
      return await look();
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      const advice = error instanceof JobSetupError ? "Then run the job again." : undefined;
      if (!this.isRemoval() && !this.signal.aborted)
        await this.showFailure(toRunReport({ ...UNTIMED, code: 1, said, advice })).catch((other: unknown) => {
          this.streams.err(
            `Warning: the comment was not written. ${other instanceof Error ? other.message : String(other)}\n`,
          );
        });
      throw error;
    }
  }

  finish(outcome: "ready" | "removed" | "none", why: string): number {
    writeJobOutputs(process.env, { preview: outcome });
    this.streams.out(`${this.title()}: ${SAYS[outcome]}${why === "" ? "" : `, ${why}`}.\n`);
    return 0;
  }

  /** The stack is something else, or its removal would run code of others: the error says which. */
  async refuse(): Promise<number> {
    const error = this.refusal ?? new Error("The stack is refused.");
    if (!this.isRemoval()) await this.showFailure(toRunReport({ ...UNTIMED, code: 1, said: error.message }));
    throw error;
  }

  async sweepPreviews(): Promise<number> {
    requireAccess(process.env);
    const { options, streams, signal } = this;
    const { project, repository: address } = this.readPreviews();
    const more = { unlockAfterMinutes: UNLOCK_AFTER_MINUTES, yes: true as const, max: 10, graceMinutes: 60 };
    const unlockEndedRuns = hasForge() || undefined;
    return useClient((client) =>
      sweepAll(
        { ...options, ...more, project, repository: address, ...(unlockEndedRuns && { unlockEndedRuns }) },
        streams,
        {
          client,
          signal,
        },
      ),
    );
  }

  async removePreview(): Promise<number> {
    const { of, preview } = this.identify();
    const { toRemove: found } = this;
    const stacks = { find: () => Promise.resolve(found), pullRequests: () => Promise.resolve([]) };
    await this.openRuns()?.begin(this.run(), { createsComment: false });
    let removal = "";
    try {
      removal = await useClient((client) =>
        removePreview({ client, signal: this.signal, ...of, stacks }, preview),
      );
    } finally {
      const wasRemoved = removal !== "";
      if (wasRemoved && this.options.commentFile !== undefined) this.writeComment(REMOVED_TEXT);
      await this.updateComment((before) =>
        before === undefined
          ? undefined
          : wasRemoved
            ? REMOVED_TEXT
            : addRunRecords(before, this.openRuns()?.listRemaining(true) ?? []),
      );
    }
    return this.finish("removed", removal.replace(/^removed ?/, ""));
  }

  async makePreview({ does, why }: Making): Promise<number> {
    const { of, preview } = this.identify();
    const { streams, signal, options } = this;
    const stackName = this.stackName();
    const unlocking = this.createUnlocking();
    if (this.doubled !== undefined) streams.err(`Warning: ${this.doubled}\n`);
    const isRecorded = findJobRun(process.env) !== undefined;
    if (isRecorded) await this.openRuns()?.begin(this.run(), { createsComment: true });
    const empty = async (): Promise<void> => {
      const stacks = this.openStacks();
      await useClient((client) => emptyPreview({ client, signal, ...of, stacks }, preview));
    };
    let ended: EndedRun | undefined;
    let ran: Pick<EngineOutput, "code" | "said">;
    let thrown: Error | undefined;
    try {
      ended = await runOnStack({
        ...{
          preview,
          stackName,
          command: this.formatUpCommand(of, preview),
          unlocking,
          before: this.state,
          empty,
        },
        commands: { workDir: options.workDir, signal, ...streams.engine },
        recreatesFor:
          does !== "recreate"
            ? undefined
            : this.event.kind === "recreate"
              ? ASKED_FOR
              : (this.whyGone ?? why),
        recreatesOnHistory: true,
        // Only a comment remembers that it was done.
        remakesUnusable: isRecorded && this.openRuns()?.mayRemakeBranch(this.commit()) === true,
        say: (line) => streams.err(`${line}\n`),
      });
      ({ ran } = ended);
      if (ran.code === 0) this.exportOutputs(ended.after);
    } catch (error) {
      thrown = error instanceof Error ? error : new Error(String(error));
      ran = { code: 1, said: describeFailure(thrown) };
    }
    const report = this.report(ran, ended);
    const wasLocked = parseLocks(ran.said) !== undefined || thrown !== undefined;
    if (signal.aborted) {
      await this.updateComment(
        (before) => before && addRunRecords(before, this.openRuns()?.listRemaining(wasLocked) ?? []),
      );
    } else if (ran.code === 0 && report.code === 0) {
      await this.showSuccess(
        findSummary(ended?.after) ?? `### Preview of pull request ${preview.pullRequest}`,
        report,
        this.listNotes(ended),
      );
    } else await this.showFailure(report, { wasLocked, isRemade: ended?.isRemade === true });
    if (thrown !== undefined) throw thrown;
    if (ran.code !== 0) return this.fail(ran);
    const isSame = does === "change" && isDeepStrictEqual(this.state?.resources, ended?.after?.resources);
    const recreated = ended?.recreated === undefined ? undefined : `recreated: ${ended.recreated}`;
    const done = recreated ?? (isSame ? "unchanged" : SAYS_DONE[does]);
    return this.finish("ready", [done, report.times].filter(Boolean).join(". ").replace(/\.$/, ""));
  }

  private fail({ code, said }: Pick<EngineOutput, "code" | "said">): number {
    const isLocked = parseLocks(said) !== undefined;
    const decision = decide(this.event, { ...this.known, isLocked }, this.options);
    const why = decision.does === "refuse" ? decision.why : "see the errors above";
    this.streams.err(`${this.title()}: failed, ${why}.\n`);
    return code;
  }

  /** What a later step, a front end and the log get of it. */
  private exportOutputs(state: StackState | undefined): void {
    const outputs = state?.outputs ?? [];
    const warn = (line: string): void => this.streams.err(`${line}\n`);
    const { dotenv, envPrefix } = this.options;
    const valueOf = (name: string): string | undefined => {
      const value = outputs.find((output) => output.name === name)?.value;
      return typeof value === "string" && value !== "" ? value : undefined;
    };
    // A direct address has IPv6 alone, which runners lack.
    const connection = valueOf("sessionConnectionString") ?? valueOf("connectionString");
    if (connection !== undefined)
      writeJobVariables(process.env, { DATABASE_URL: connection }, this.streams.command);
    const apiUrl = valueOf("apiUrl");
    if (apiUrl !== undefined && holdsJobSecret(apiUrl, process.env))
      warn(`Warning: ${explainLeftOutOutput("apiUrl")}`);
    else if (apiUrl !== undefined) writeJobOutputs(process.env, { "api-url": apiUrl });
    if (dotenv === undefined) return;
    const written = writeEnvFile({ file: dotenv, prefix: envPrefix, withSecrets: false }, outputs, warn);
    this.streams.out(`${written}\n`);
  }

  private report(
    { code, said }: Pick<EngineOutput, "code" | "said">,
    ended: EndedRun | undefined,
  ): RunReport {
    const { commandMs = 0, recreated, isUnusable } = ended ?? {};
    const times = formatTimes(said, { tookMs: Date.now() - this.beganMs, commandMs });
    const folder = findRepositoryFolder(this.options.workDir);
    const advice = adviseOnLock(said, { ...this.createUnlocking(), stackName: this.stackName(), folder });
    return toRunReport({ code, said, advice, recreated, isUnusable, doubled: this.doubled, times });
  }

  /** What a reader of the comment asks next, in Markdown. */
  private listNotes(ended: EndedRun | undefined): string[] {
    const outputs = ended?.after?.outputs ?? [];
    const connection = ["sessionConnectionString", "connectionString"].find((name) =>
      outputs.some((output) => output.name === name && output.value !== ""),
    );
    const before = ended?.recreated === undefined ? this.state : undefined;
    const changed = formatChangedNames(before, ended?.after);
    const folder = findRepositoryFolder(this.options.workDir);
    const command = `pulumi stack output ${connection ?? ""} --show-secrets --stack ${this.stackName()}`;
    const where = folder === undefined ? "the folder of `Pulumi.yaml`" : `\`${folder}/\``;
    const inSteps =
      (process.env["GITHUB_ENV"] ?? "") === "" ? "" : "Later steps of the job have it in `DATABASE_URL`. ";
    return [
      ...(changed === undefined ? [] : [redactSecrets(changed)]),
      ...(connection === undefined
        ? []
        : [
            `For the connection, run ${formatCode(command)} in ${where}, logged in to the state backend. ${inSteps}`.trim(),
          ]),
      `For a new preview, without the data that was entered by hand, ${describeRecreation(process.env)}.`,
      ...this.listStayingLabel(),
    ];
  }

  private listStayingLabel(): string[] {
    const stays = explainStayingLabel(this.event, process.env);
    return stays === undefined ? [] : [stays];
  }

  private async showSuccess(summary: string, report: RunReport, notes: readonly string[]): Promise<void> {
    const { commentFile } = this.options;
    if (commentFile !== undefined) this.writeComment(formatSuccessText(summary, report, notes));
    await this.updateComment(() =>
      formatSuccessComment(this.openForge()?.inOwnWords(summary) ?? summary, report, notes),
    );
  }

  private async showFailure(
    report: RunReport,
    { wasLocked, isRemade } = { wasLocked: true, isRemade: false },
  ): Promise<void> {
    const { commit, runUrl } = this.event;
    const notes = this.listStayingLabel();
    const recreation = describeRecreation(process.env);
    if (this.options.commentFile !== undefined)
      this.writeComment(formatFailureText(report, findSummary(this.state), recreation, notes));
    await this.updateComment((before) => {
      // A refusal before this run was recorded leaves the records of others.
      const kept = this.recordedRuns?.listRemaining(wasLocked) ?? parseRunRecords(before);
      const text = formatFailureComment(
        {
          ...{ report, commit, runUrl, notes, howToRecreate: recreation },
          remakesAtPush: this.openRuns() !== undefined,
        },
        before,
      );
      const remadeFor = isRemade ? this.commit() : parseRemadeFor(before);
      return addRunRecords(remadeFor === undefined ? text : markBranchRemade(text, remadeFor), kept);
    });
  }

  private writeComment(text: string): void {
    const { commentFile = "-" } = this.options;
    if (commentFile === "-") this.streams.out(text);
    else writeOwnFile(commentFile, text);
  }

  /** A forge that does not answer fails no job: what the comment tells of is done. */
  private async updateComment(write: (before: string | undefined) => string | undefined): Promise<void> {
    const { number } = this.event;
    try {
      if (number !== undefined) await this.openForge()?.comment(number, write, this.options.topic);
    } catch (error) {
      if (!(error instanceof ForgeUnavailableError)) throw error;
      this.streams.err(`Warning: the comment was not written. ${error.message}\n`);
    }
  }

  private async readPullState(): Promise<PullState> {
    const forge = this.openForge();
    const { number = 0, commit } = this.event;
    if (forge === undefined) return "untold";
    const now = await forge.pullRequest(number);
    if (now.isFork) return "fork";
    if (!now.isOpen) return "closed";
    if (commit !== undefined && commit !== now.commit) return "superseded";
    return now.isDraft ? "draft" : "current";
  }

  /** The first and only look at the stack before it is used. */
  private async readStackFacts(): Promise<StackFacts> {
    requireAccess(process.env);
    const { of, preview } = this.identify();
    const { pulumiProject, workDir: folder } = this.options;
    try {
      if (this.isRemoval()) {
        const missed =
          pulumiProject === undefined ? undefined : explainMissedStack(folder, pulumiProject, preview);
        if (missed !== undefined) this.streams.err(`Warning: ${missed}\n`);
        this.toRemove = await this.openStacks(this.options.allowPackage).find(preview);
        return this.toRemove === undefined ? "none" : "ours";
      }
      if (pulumiProject !== undefined) requireProject(folder, pulumiProject);
      const stackName = this.stackName();
      const state = await readStack(stackName, { workDir: this.options.workDir, signal: this.signal });
      const refs = state === undefined ? [] : requireStackOf(preview, stackName, state);
      this.state = state;
      await useClient(async (client) => {
        const branches = await client.listBranches({ ref: of.project });
        const other = findIntegrationBranch(branches, preview);
        if (other !== undefined)
          this.doubled = `${formatIntegrationBranch(preview.pullRequest, other)} ${SWITCH_ONE_OFF}`;
        this.whyGone = await explainGoneBranches(client, branches, refs);
      });
      if (state === undefined) return "none";
      return this.whyGone === undefined ? "ours" : "gone";
    } catch (error) {
      if (!(error instanceof NotThePreviewError || error instanceof UntrustedStateError)) throw error;
      this.refusal = error;
      return error instanceof UntrustedStateError ? "foreign code" : "another's";
    }
  }

  private identify(): { readonly of: Previews; readonly preview: Preview } {
    const { number = 0, gitBranch } = this.event;
    if (this.asked === undefined) {
      const of = this.readPreviews();
      this.asked = { of, preview: identifyPreview(of, number, gitBranch) };
    }
    return this.asked;
  }

  private readPreviews(): Previews {
    const { prefix: namePrefix, repository: given } = this.options;
    const address = given ?? (hasForge() ? undefined : requireRepository(process.env));
    return toPreviews({ project: this.requireProject(), prefix: namePrefix, repository: address });
  }

  private requireProject(): string {
    const ref = this.options.project ?? process.env["PARENT_PROJECT_REF"] ?? "";
    if (isReference(ref)) return ref;
    const what = "the reference of the project to branch from, twenty lower-case letters";
    if (this.options.project !== undefined) throw new PreviewsCommandError(`--project takes ${what}`);
    throw new JobSetupError(
      `The variable PARENT_PROJECT_REF is ${ref === "" ? "not set" : "no such reference"}, so the job does not know which project its branches are of. Set it to ${what}, or pass --project.`,
    );
  }

  private stackName(): string {
    return formatStackName(this.options.stackPattern, this.identify().preview.name);
  }

  private openStacks(allowedPackages?: readonly string[]) {
    const { workDir: folder, stackPattern: pattern } = this.options;
    const { unlockAfterMs, isOfEndedRun } = this.createUnlocking();
    return previewStacks({
      ...{ pattern, workDir: folder, onOutput: this.streams.engine.err, signal: this.signal },
      ...(allowedPackages !== undefined && { allowedPackages }),
      ...(unlockAfterMs !== undefined && { unlockAfterMs }),
      ...(isOfEndedRun && { isOfEndedRun: (_: number, lock: StackLock) => isOfEndedRun(lock) }),
    });
  }

  private createUnlocking(): Unlocking {
    const runs = this.openRuns();
    return {
      unlockAfterMs: UNLOCK_AFTER_MINUTES * 60_000,
      isOfEndedRun: runs && ((lock: StackLock) => runs.isOfEndedRun(lock)),
    };
  }

  private formatUpCommand(
    { project, repository: address, prefix: namePrefix }: Previews,
    preview: Preview,
  ): string[] {
    const config = {
      ...{ parentProjectRef: project, repository: address, pullRequest: String(preview.pullRequest) },
      gitBranch: preview.gitBranch ?? "",
      ...(namePrefix === DEFAULT_PREFIX ? {} : { namePrefix }),
    };
    const given = Object.entries(config).flatMap(([key, value]) => ["--config", `${key}=${value}`]);
    return ["pulumi", "up", "--yes", "--skip-preview", ...given];
  }

  /** The runs that the comment names; none outside of a job of the forge. */
  private openRuns(): RecordedRuns | undefined {
    const { number: pullRequest } = this.event;
    const forge = this.openForge();
    if (forge === undefined || pullRequest === undefined || findJobRun(process.env) === undefined)
      return undefined;
    this.recordedRuns ??= new RecordedRuns({
      ...{ forge, pullRequest, topic: this.options.topic },
      warn: (line) => this.streams.err(`${line}\n`),
    });
    return this.recordedRuns;
  }

  private run() {
    return findJobRun(process.env) ?? { id: "0", attempt: 1 };
  }

  /** What the comment remembers a commit by. */
  private commit(): string {
    const { commit = "" } = this.event;
    return /^\w{1,64}$/.test(commit) ? commit : "unknown";
  }

  private openForge(): Forge | undefined {
    if (!hasForge()) return undefined;
    this.knownForge ??= createOwnForge(this.identify().of, { commentAuthor: this.options.commentAuthor });
    return this.knownForge;
  }

  private isRemoval(): boolean {
    return this.event.kind === "close" || this.event.kind === "stop";
  }

  private title(): string {
    const { number } = this.event;
    return number === undefined ? "Previews" : `Preview of pull request ${number}`;
  }
}

/** What the comment says of a preview that is gone. */
const REMOVED_TEXT = "The preview was removed.";

const SAYS = { ready: "ready", removed: "removed", none: "nothing to do" } as const;
const SAYS_DONE = { make: "made", change: "changed", recreate: "recreated" } as const;
const UNTIMED = { recreated: undefined, times: undefined } as const;

function hasForge(): boolean {
  return findRepositoryAddress(process.env) !== undefined;
}

/** What the forge or CI has to give the job is missing or wrong: no commit mends it. */
class JobSetupError extends Error {}

/** Outside of a job of a forge, which tells it. */
function requireRepository(env: NodeJS.ProcessEnv): string {
  const { success, data } = repositoryAddress.safeParse(env["REPOSITORY"]);
  if (success) return data;
  throw new JobSetupError(
    `The variable REPOSITORY is ${(env["REPOSITORY"] ?? "") === "" ? "not set" : "no web address of a repository"}, but the names of previews contain it. Set it to the repository's web address, as https://forge.example.com/acme/shop, or pass --repository.`,
  );
}

/** The event said that this pull request gets them: a missing one is a mistake of the set-up, and no reason to do nothing. */
function requireAccess(env: NodeJS.ProcessEnv): void {
  const isSet = (...names: readonly string[]): boolean => names.some((name) => (env[name] ?? "") !== "");
  const secrets = [
    ...(isSet("MANAGEMENT_ACCESS_TOKEN", "MANAGEMENT_CLIENT_SECRET") ? [] : ["MANAGEMENT_ACCESS_TOKEN"]),
    ...(isSet("PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE", "PULUMI_ACCESS_TOKEN")
      ? []
      : ["PULUMI_CONFIG_PASSPHRASE (or PULUMI_ACCESS_TOKEN with Pulumi Cloud)"]),
  ];
  const missing = [...(isSet("MANAGEMENT_BASE_URL") ? [] : ["MANAGEMENT_BASE_URL"]), ...secrets];
  if (missing.length === 0) return;
  const kinds = [
    ...(missing.length > secrets.length ? ["the service's address as a variable"] : []),
    ...(secrets.length > 0 ? ["what is secret as a secret"] : []),
  ];
  throw new JobSetupError(
    `The job has no ${missing.join(" and no ")}. In your forge or CI, set ${kinds.join(" and ")}, and give it to this step. Nothing was changed.`,
  );
}
