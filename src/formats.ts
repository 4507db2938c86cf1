import { glusterFormats } from '../probes/gluster/formats.ts';
import { iperfFormats } from '../probes/iperf/formats.ts';
import { lustreFormats } from '../probes/lustre/formats.ts';
import { slurmFormats } from '../probes/slurm/formats.ts';
import { switchFormats } from '../probes/switch/formats.ts';
import type { Formats } from './model/system.ts';

/** What `faultline parse` can read, one line a system. */
export const formats: Formats = {
  ...slurmFormats,
  ...switchFormats,
  ...glusterFormats,
  ...lustreFormats,
  ...iperfFormats,
};
