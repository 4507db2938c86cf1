/** One thing looked at on one host. `note`: worth knowing, nothing to mend. `skipped`: could not or need not be looked at. */
export interface Check {
  name:
    | 'reach'
    | 'host key'
    | 'login'
    | 'shell'
    | 'kernel'
    | 'tools'
    | 'version'
    | 'rights'
    | 'clock'
    | 'shared folder';
  state: 'ok' | 'note' | 'fail' | 'skipped';
  /** One line; holds nothing that differs between hosts in the same state, so that they fold. */
  text: string;
  /** The lines to type, for a failure. */
  mend?: readonly string[];
}

export interface HostReport {
  host: string;
  checks: readonly Check[];
}
