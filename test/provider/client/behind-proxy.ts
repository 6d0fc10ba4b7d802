import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { type ClientOptions, ManagementClient } from "../../../provider/client";
import { VirtualClock } from "../../../tools/virtual-clock";
import { type Certificates, makeCertificates, SERVICE_HOST } from "./certificates";
import {
  type ConnectProxy,
  type Connecting,
  type ProxyOptions,
  type SafeService,
  startConnectProxy,
  startSafeService,
} from "./connect-proxy";

/** A company's network: a service with a private certificate behind a proxy. */
export interface Network {
  readonly service: SafeService;
  readonly proxy: ConnectProxy;
  readonly clock: VirtualClock;
  readonly lines: string[];
  readonly certificates: Certificates;
  client(environment: Readonly<Record<string, string>>, options?: Partial<ClientOptions>): ManagementClient;
  close(): Promise<void>;
}

const usual = getCACertificates("default");
const environment = process.env;
let made: Promise<Certificates> | undefined;

export async function startNetwork(
  connecting: (service: SafeService) => Connecting = ({ port }) => ({ port }),
  { isProxySafe = false, ...options }: ProxyOptions & { readonly isProxySafe?: boolean } = {},
): Promise<Network> {
  const certificates = await (made ??= makeCertificates());
  setDefaultCACertificates([certificates.authority]);
  const service = await startSafeService(certificates);
  const proxy = await startConnectProxy(() => connecting(service), {
    ...options,
    ...(isProxySafe ? { certificates } : {}),
  });
  const clock = new VirtualClock();
  const lines: string[] = [];
  const clients: ManagementClient[] = [];
  return {
    service,
    proxy,
    clock,
    lines,
    certificates,
    client: (given, more = {}) => {
      const others = Object.entries(environment).filter(([name]) => !/_proxy$/i.test(name));
      process.env = { ...Object.fromEntries(others), ...given };
      const client = new ManagementClient({
        baseUrl: `https://${SERVICE_HOST}`,
        accessToken: "token-5f1c0a7e9b",
        clock,
        log: (line) => lines.push(line),
        ...more,
      });
      clients.push(client);
      return client;
    },
    close: async () => {
      process.env = environment;
      setDefaultCACertificates(usual);
      await Promise.all(clients.map((client) => client.close()));
      await Promise.all([proxy.close(), service.close()]);
      clock.close();
    },
  };
}
