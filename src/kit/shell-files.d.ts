/** A script beside the module that sends it: its text without comments and blank lines (scripts/shell-text.ts). */
declare module '*.sh' {
  const script: string;
  export default script;
}
