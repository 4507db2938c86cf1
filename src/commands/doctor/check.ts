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
    | 'shared folder'
    | 'readings';
  state: 'ok' | 'note' | 'fail' | 'skipped';
  /** One line. Apart from the host's name it is the same for hosts in the same state, or `same` says what is. */
  text: string;
  /** What makes it the same on several hosts, where the text has addresses in it. */
  same?: string;
  /** The lines to type, for a failure. */
  mend?: readonly string[];
}

export interface HostReport {
  host: string;
  checks: readonly Check[];
}
