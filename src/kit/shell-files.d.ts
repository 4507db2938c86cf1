/** A script beside the module that sends it: its text without comments and blank lines (scripts/shell-text.ts). */
declare module '*.sh' {
  const script: string;
  export default script;
}

/** What completes words in an operator's own shell, as it stands. */
declare module '*.bash' {
  const script: string;
  export default script;
}
declare module '*.zsh' {
  const script: string;
  export default script;
}
declare module '*.fish' {
  const script: string;
  export default script;
}

/** A program that is run on an admin host, as it stands. */
declare module '*.py' {
  const program: string;
  export default program;
}
