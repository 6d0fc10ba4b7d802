import type { Samples } from "../sample";

export const realtimeSamples = {
  getRealtimeConfig: ({ ref }) => ({ ref }),
  updateRealtimeConfig: ({ ref }) => ({ ref, body: { max_concurrent_users: 500, private_only: true } }),
  shutDownRealtime: ({ ref }) => ({ ref }),
} satisfies Partial<Samples>;
