import { generateKeyPairSync } from "node:crypto";

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
export const PRIVATE_JWK = { ...privateKey.export({ format: "jwk" }) };
