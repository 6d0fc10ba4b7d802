import { createHash, randomInt } from "node:crypto";
import { once } from "node:events";
import { resolve } from "node:path";
import { createServer, type Server, type Socket } from "node:net";
import { isRemoved } from "../../service/rules/shared/project-status";
import type { DatabaseAddress, DatabaseAddresses } from "../../service/world/database-addresses";
import type { World } from "../../service/world/world";
import { serveClient } from "./client-connection";

/** A port for the databases, on an address of its own for each: that is how clients say which one they mean. */
export class PostgresPort implements DatabaseAddresses {
  private world: World | undefined;
  private readonly refs = new Map<string, string>();
  private readonly servers = new Map<string, Server>();
  private readonly sockets = new Set<Socket>();
  block: number | undefined;
  pooler: DatabaseAddress = { host: "", port: 0 };
  session: DatabaseAddress | undefined;

  /**
   * Where addresses beside 127.0.0.1 do not exist, or clients are on other machines, all share one. The same `folder` leads to
   * the same addresses as before, and so does the same `block`.
   */
  async listen(options: PortOptions): Promise<void> {
    const { port, host = "127.0.0.1", shownHost = host, folder, block, sessionPort = SESSION_PORT } = options;
    if (host !== "127.0.0.1") {
      this.pooler = { host: shownHost, port: await this.open(port, host) };
      return;
    }
    // Another emulator may have the block.
    const first = block === undefined ? firstBlock(folder) : block - 1;
    for (let attempt = 0; attempt < BLOCKS; attempt += 1) {
      const tried = 1 + ((first + attempt) % BLOCKS);
      const address = `127.${tried}.0.1`;
      try {
        this.pooler = { host: address, port: await this.open(port, address) };
        this.block = tried;
        this.session = await this.openSessions(sessionPort, this.pooler);
        return;
      } catch (error) {
        // Read by its field: test runners have several realms.
        const { code } = error as { code?: string };
        if (code === "EADDRNOTAVAIL") break;
        if (code !== "EADDRINUSE") throw error;
      }
    }
    this.pooler = { host, port: await this.open(port, host) };
  }

  /** Where the pooler takes sessions on the service, whichever port it was given here; undefined where another program has it. */
  private async openSessions(port: number, pooler: DatabaseAddress): Promise<DatabaseAddress | undefined> {
    if (pooler.port === port) return pooler;
    try {
      return { host: pooler.host, port: await this.open(port, pooler.host) };
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === "EADDRINUSE" || code === "EACCES") return undefined;
      throw error;
    }
  }

  /** To be called before anybody asks for an address. */
  serve(world: World): void {
    this.world = world;
  }

  of(ref: string): DatabaseAddress {
    const { port } = this.pooler;
    if (this.block === undefined) return this.pooler;
    for (const [address, present] of this.refs) if (present === ref) return { host: address, port };
    this.leaveRemoved();
    const host = this.freeAddress(ref, this.block);
    this.refs.set(host, ref);
    const server = this.newServer();
    this.servers.set(host, server);
    // Nobody else has an address of this block.
    server.on("error", () => undefined).listen(port, host);
    return { host, port };
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await Promise.all([...this.servers.values()].map(closed));
    this.servers.clear();
  }

  private async open(port: number, host: string): Promise<number> {
    const server = this.newServer();
    server.listen(port, host);
    await once(server, "listening");
    const address = server.address();
    const opened = typeof address === "object" && address !== null ? address.port : port;
    this.servers.set(`${host}:${opened}`, server);
    return opened;
  }

  private newServer(): Server {
    return createServer((socket) => {
      this.sockets.add(socket);
      socket.once("close", () => this.sockets.delete(socket)).setNoDelay();
      const { world } = this;
      if (world === undefined) return socket.destroy();
      const route = (user: string): ReturnType<PostgresPort["route"]> =>
        this.route(world, user, socket.localAddress);
      void serveClient(socket, { world, route });
      return undefined;
    });
  }

  private route(world: World, user: string, address = ""): { ref: string; role: string } | string {
    const [, role, ref] = /^(.+)\.([a-z]{20})$/.exec(user) ?? [];
    if (role !== undefined && ref !== undefined) {
      return this.isThere(world, ref) ? { ref, role } : `there is no project ${ref}`;
    }
    const own = this.refs.get(address);
    if (own !== undefined) {
      return this.isThere(world, own) ? { ref: own, role: user } : `the project ${own} was removed`;
    }
    const all = [...world.state.projects.keys()].filter((one) => this.isThere(world, one));
    const [only] = all;
    if (only !== undefined && all.length === 1) return { ref: only, role: user };
    return `this address is that of ${all.length} databases: name the project in the user, as in ${user || "postgres"}.<ref>`;
  }

  private isThere(world: World, ref: string): boolean {
    const project = world.state.projects.get(ref);
    return project !== undefined && !isRemoved(world, project);
  }

  private leaveRemoved(): void {
    const { world } = this;
    if (world === undefined) return;
    for (const [address, ref] of this.refs) {
      if (this.isThere(world, ref)) continue;
      this.refs.delete(address);
      const server = this.servers.get(address);
      this.servers.delete(address);
      server?.close();
    }
  }

  /** The same one for the same project after a restart in the same block, unless another had it first. */
  private freeAddress(ref: string, block: number): string {
    const first = numberFrom(ref);
    for (let attempt = 0; attempt < ADDRESSES; attempt += 1) {
      const number = 1 + ((first + attempt) % ADDRESSES);
      const address = `127.${block}.${1 + Math.floor(number / 256)}.${number % 256}`;
      if (!this.refs.has(address)) return address;
    }
    throw new Error("Every address of this machine is in use");
  }
}

/** service, Poolers. */
const SESSION_PORT = 5_432;
const BLOCKS = 254;
const ADDRESSES = 60_000;

export interface PortOptions {
  readonly port: number;
  /** Beside it, of the pooler alone, where the databases have addresses of their own. */
  readonly sessionPort?: number | undefined;
  readonly host?: string | undefined;
  /** By which callers know the host. */
  readonly shownHost?: string | undefined;
  /** Of the emulator's data. */
  readonly folder?: string | undefined;
  /** Of an earlier emulator that this one continues. */
  readonly block?: number | undefined;
}

function firstBlock(folder: string | undefined): number {
  return folder === undefined ? randomInt(BLOCKS) : numberFrom(resolve(folder)) % BLOCKS;
}

function numberFrom(text: string): number {
  return createHash("sha256").update(text).digest().readUInt16BE(0);
}

async function closed(server: Server): Promise<void> {
  if (!server.listening) return;
  const end = once(server, "close");
  server.close();
  await end;
}
