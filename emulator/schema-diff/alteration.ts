/** How an object becomes another one of the same name. */
export type Alteration =
  | "recreate"
  | {
      /** What frees names before anything is made. */
      readonly beforehand?: readonly string[];
      readonly statements: readonly string[];
      /** Whether what depends on it has to make way and come back. */
      readonly disturbs?: boolean;
      /** Whether it lost its grants and its comment. */
      readonly remade?: boolean;
      /** What is left to be done when nothing uses the former object any more. */
      readonly afterwards?: readonly string[];
    };
