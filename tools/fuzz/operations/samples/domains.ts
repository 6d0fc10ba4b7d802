import type { Samples, Scene } from "../sample";

function buyAddon({ control, ref }: Scene): void {
  control.call("applyAddon", { ref, body: { addon_type: "custom_domain", addon_variant: "cd_default" } });
}

function initialize(scene: Scene): void {
  buyAddon(scene);
  scene.control.call("initializeCustomHostname", {
    ref: scene.ref,
    body: { custom_hostname: "db.example.com" },
  });
  // Until the record for the certificate shows.
  scene.control.advance(3_000);
}

function publishRecords({ control, ref }: Scene): void {
  const { ssl, ownership_verification: ownership } = control.call("getCustomHostname", { ref }).data.result;
  control.edit(({ dnsTxt }) => {
    dnsTxt.set(ownership.name, [ownership.value]);
    for (const { txt_name, txt_value } of ssl.validation_records) dnsTxt.set(txt_name, [txt_value]);
  });
}

const body = { vanity_subdomain: "my-shop" };

function activate({ control, ref }: Scene): void {
  control.call("activateVanitySubdomain", { ref, body });
}

export const domainSamples = {
  getCustomHostname: (scene) => {
    initialize(scene);
    return { ref: scene.ref };
  },
  initializeCustomHostname: (scene) => {
    buyAddon(scene);
    return { ref: scene.ref, body: { custom_hostname: "db.example.com" } };
  },
  reverifyCustomHostname: (scene) => {
    initialize(scene);
    publishRecords(scene);
    return { ref: scene.ref };
  },
  activateCustomHostname: (scene) => {
    initialize(scene);
    publishRecords(scene);
    // One look for the ownership, one for the certificate.
    scene.control.call("reverifyCustomHostname", { ref: scene.ref });
    scene.control.call("reverifyCustomHostname", { ref: scene.ref });
    scene.control.advance(60_000);
    return { ref: scene.ref };
  },
  removeCustomHostname: (scene) => {
    initialize(scene);
    return { ref: scene.ref, remove_addon: true };
  },
  getVanitySubdomain: (scene) => {
    activate(scene);
    return { ref: scene.ref };
  },
  checkVanitySubdomain: ({ ref }) => ({ ref, body }),
  activateVanitySubdomain: ({ ref }) => ({ ref, body }),
  deleteVanitySubdomain: (scene) => {
    activate(scene);
    return { ref: scene.ref };
  },
} satisfies Partial<Samples>;
