import { startEmulator } from "../../emulator";

it("A port that another program uses is named, with what to do", async () => {
  const first = await startEmulator();
  const port = Number(new URL(first.url).port);
  await expect(startEmulator({ port })).rejects.toThrow(
    `The emulator cannot listen on 127.0.0.1:${port}: another program listens there. ` +
      "Stop it, or choose another port: 0, the default, takes any free one (EADDRINUSE)",
  );
  await first.close();
});

it("An address that is not this machine's is named, with what to do", async () => {
  // Reserved for documentation (RFC 5737), hence no machine's own.
  await expect(startEmulator({ host: "192.0.2.1" })).rejects.toThrow(
    "The emulator cannot listen on 192.0.2.1:0: this machine has no such address. " +
      "Choose one of its own, or leave the host out for 127.0.0.1 (EADDRNOTAVAIL)",
  );
});
