import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { MessageStream } from "../../../../emulator/desk/postgres-port/message-stream";
import { int32, message } from "../../../../emulator/desk/postgres-port/messages";

let server: Server;
let client: Socket;
let socket: Socket;
let stream: MessageStream;
beforeEach(async () => {
  server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const connected = once(server, "connection");
  client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.on("error", () => undefined);
  client.resume();
  [socket] = (await connected) as [Socket];
  stream = new MessageStream(socket);
});
afterEach(() => {
  client.destroy();
  socket.destroy();
  server.close();
});

async function startUp(): Promise<void> {
  client.write(Buffer.concat([int32(9), int32(3 << 16), Buffer.from([0])]));
  await stream.wait();
  stream.take();
  stream.endStartup();
}

/** Also where what was sent is lost on the way. */
const isRefused = (): Promise<void> => new Promise((resolve) => client.once("close", () => resolve()));

it("a message before the login is as long as a password may be, and no longer", async () => {
  await startUp();
  client.write(message("p", "x".repeat(65_000)));
  await stream.wait();
  expect(stream.take()?.body).toHaveLength(65_001);
  client.write(message("p", "x".repeat(65_532)));
  await isRefused();
});

it("a client that sends on before it has logged in is refused", async () => {
  await startUp();
  for (let count = 0; count < 3; count += 1) client.write(message("p", "x".repeat(60_000)));
  await isRefused();
});

it("a long message after the login is whole, in as many pieces as it comes", async () => {
  await startUp();
  stream.endLogin();
  const long = message("Q", "x".repeat(3_000_000));
  for (let at = 0; at < long.length; at += 1_000) client.write(long.subarray(at, at + 1_000));
  client.write(message("Q", "select 1"));
  const bodies: number[] = [];
  while (bodies.length < 2) {
    await stream.wait();
    for (let frame = stream.take(); frame !== undefined; frame = stream.take())
      bodies.push(frame.body.length);
  }
  expect(bodies).toEqual([3_000_001, 9]);
});
