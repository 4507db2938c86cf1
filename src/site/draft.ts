import type { SettingClue } from '../model/discover.ts';

/** Hosts that one file may hold together: what one expression may stand for, and ten times what the console is made for. */
export const MOST_HOSTS = 100_000;

/** A host as it is to stand in the file. */
export interface DraftHost {
  name: string;
  roles: readonly string[];
  platform?: string;
  transport?: 'local';
  /** A line for each role: where it comes from. */
  from: readonly string[];
  /** Place of its first role among all roles. */
  order: number;
}

export interface DraftSection {
  system: string;
  settings: readonly SettingClue[];
}

/** What is to be written. */
export interface Draft {
  head: readonly string[];
  name: { value: string; from: string };
  sshConfig?: string;
  hosts: readonly DraftHost[];
  /** Lines below the hosts: those that could not be told, and places that are only proposed. */
  afterHosts: readonly string[];
  sections: readonly DraftSection[];
  notes: readonly string[];
}
