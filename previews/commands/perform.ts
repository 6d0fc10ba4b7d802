import { ManagementClient } from "../../provider/client";
import type { Streams } from "../redaction";

/** Runs what a command does; its answer is the exit code. */
export type Perform = (work: (streams: Streams) => Promise<number> | number) => Promise<void>;

export async function withClient(use: (client: ManagementClient) => Promise<number>): Promise<number> {
  const client = new ManagementClient();
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}
