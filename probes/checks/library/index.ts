import certificates from './certificates.sh';
import chrony from './chrony.sh';
import disk from './disk.sh';
import dns from './dns.sh';
import gpuEcc from './gpu-ecc.sh';
import ipmiSel from './ipmi-sel.sh';
import licence from './licence.sh';
import munge from './munge.sh';
import slurmdbd from './slurmdbd.sh';
import users from './users.sh';

/** A check that ships: a POSIX script that ends as a Nagios plug-in does. */
export interface LibraryCheck {
  script: string;
  /** Roles that are asked where the site file says nothing else. */
  on: readonly string[];
  /** What it can be told, as variables of its shell, and what stands there where nothing is said. */
  parameters: Readonly<Record<string, string>>;
  /** Parameters without which there is nothing to look at. */
  needs?: readonly string[];
}

const slurm = ['slurm-controller', 'compute'];

/** The checks that ship, by the name that `use` takes. */
export const library = {
  chrony: { script: chrony, on: slurm, parameters: { warn_ms: '100', crit_ms: '1000' } },
  munge: { script: munge, on: slurm, parameters: {} },
  slurmdbd: { script: slurmdbd, on: ['slurm-controller'], parameters: {} },
  certificates: {
    script: certificates,
    on: ['here'],
    parameters: { certificates: '', warn_days: '21', crit_days: '7' },
    needs: ['certificates'],
  },
  dns: { script: dns, on: slurm, parameters: { names: '', servers: '' }, needs: ['names'] },
  users: { script: users, on: slurm, parameters: { users: '', warn_ms: '1000' }, needs: ['users'] },
  licence: { script: licence, on: ['here'], parameters: { server: '', lmutil: 'lmutil' }, needs: ['server'] },
  disk: { script: disk, on: slurm, parameters: { mounts: '', warn_percent: '90', crit_percent: '95' } },
  'ipmi-sel': { script: ipmiSel, on: ['compute'], parameters: { ipmitool: 'sudo -n ipmitool' } },
  'gpu-ecc': { script: gpuEcc, on: ['compute'], parameters: {} },
} as const satisfies Readonly<Record<string, LibraryCheck>>;

export type LibraryName = keyof typeof library;

const names = Object.keys(library) as LibraryName[];

export const libraryNames = names;
