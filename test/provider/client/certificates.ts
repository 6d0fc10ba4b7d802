import { generate } from "selfsigned";

/** The host name of a service that only a proxy reaches; it resolves nowhere. */
export const SERVICE_HOST = "api.service.invalid";

export interface Certificates {
  /** PEM of the authority's own certificate. */
  readonly authority: string;
  readonly key: string;
  readonly cert: string;
}

/** A private authority, as companies have, and what it has issued for the service and for this machine. */
export async function makeCertificates(): Promise<Certificates> {
  const authority = await generate([{ name: "commonName", value: "A private authority" }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const { private: key, cert } = await generate([{ name: "commonName", value: SERVICE_HOST }], {
    keyType: "ec",
    algorithm: "sha256",
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: SERVICE_HOST },
          { type: 2, value: "localhost" },
          { type: 7, ip: "127.0.0.1" },
        ],
      },
    ],
  });
  return { authority: authority.cert, key, cert };
}
