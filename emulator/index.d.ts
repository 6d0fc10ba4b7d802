// For compilers that do not read `exports` of a package.json.
export * from "./dist/emulator/index";
