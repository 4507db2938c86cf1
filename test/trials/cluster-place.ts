import { checkMachine } from '../lab/packages.ts';
import { Cluster } from './cluster.ts';
import { cuts } from './cuts.ts';
import { hung, stopped } from './hangs.ts';
import { kills } from './kills.ts';
import type { Kind, Place } from './kind.ts';
import { lies } from './lies.ts';
import { logs } from './logs.ts';
import { races } from './races.ts';
import { sharedFolder } from './shared.ts';

/** Every trial begins after a quiet day. */
const afresh = (kind: Kind<Cluster>): Kind<Cluster> => ({
  ...kind,
  try: async (cluster, seed) => {
    await cluster.reset();
    return kind.try(cluster, seed);
  },
});

/** Real slurmctld, slurmd and sshd. */
export const clusterPlace: Place<Cluster> = {
  name: 'cluster',
  // Those that take longest first, so that no worker is left with one at the end.
  kinds: [hung, stopped, kills, cuts, sharedFolder, lies, races, logs].map(afresh),
  beside: 6,
  open: () => {
    checkMachine();
    return Cluster.open();
  },
  close: (cluster) => cluster.close(),
};
