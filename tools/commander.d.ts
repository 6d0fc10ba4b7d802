/** Types of options are inferred from their flags: only the compiler reads them. */
declare module "commander" {
  export * from "@commander-js/extra-typings";
}
