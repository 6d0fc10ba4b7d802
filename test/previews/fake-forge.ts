import { startLoopbackServer } from "../../tools/loopback-server";

/** What a forge answers of one pull request. */
export interface FakePull {
  readonly status?: number;
  readonly state?: "open" | "closed";
  readonly gitBranch?: string;
}

/** A forge that knows the state of pull requests. */
export interface FakeForge {
  readonly pulls: Map<number, FakePull>;
  /** The variables of a job of its repository `acme/shop`. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function startFakeForge(): Promise<FakeForge> {
  const pulls = new Map<number, FakePull>();
  const { url, close } = await startLoopbackServer((request, response) => {
    const number = Number(/\/pulls\/(\d+)$/.exec(request.url ?? "")?.[1]);
    const { status = 200, state, gitBranch = `feature-${number}` } = pulls.get(number) ?? { status: 404 };
    response.writeHead(status, { "content-type": "application/json" });
    response.end(
      JSON.stringify(
        status === 200
          ? { state, head: { sha: "c1", ref: gitBranch, repo: { full_name: "acme/shop" } } }
          : { message: "no" },
      ),
    );
  });
  return {
    pulls,
    env: {
      ...{ GITHUB_API_URL: url, GITHUB_SERVER_URL: "https://forge.example.com" },
      ...{ GITHUB_REPOSITORY: "acme/shop", GITHUB_TOKEN: "ghs_1" },
    },
    close,
  };
}
