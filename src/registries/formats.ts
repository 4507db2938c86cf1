import { glusterFormats } from '../../probes/gluster/read/formats.ts';
import { iperfFormats } from '../../probes/iperf/read/formats.ts';
import { lustreFormats } from '../../probes/lustre/read/formats.ts';
import { nfsFormats } from '../../probes/nfs/read/formats.ts';
import { slurmFormats } from '../../probes/slurm/read/formats.ts';
import { switchFormats } from '../../probes/switch/read/formats.ts';
import type { Formats } from '../model/system.ts';

/** What `faultline parse` can read, one line a system. */
export const formats: Formats = {
  ...slurmFormats,
  ...switchFormats,
  ...glusterFormats,
  ...lustreFormats,
  ...iperfFormats,
  ...nfsFormats,
};
