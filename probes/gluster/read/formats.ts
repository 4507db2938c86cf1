import type { Formats } from '../../../src/model/system.ts';
import { parseCli } from './parse-cli.ts';
import { parseHeal } from './parse-heal.ts';
import { parseLog } from './parse-log.ts';
import { parsePeers, parsePool } from './parse-peers.ts';
import { parseStatedump } from './parse-statedump.ts';
import { parseStatus } from './parse-status.ts';
import { parseVolumes } from './parse-volumes.ts';

/** What `faultline parse gluster.*` reads. */
export const glusterFormats: Formats = {
  'gluster.pool': parsePool,
  'gluster.peers': parsePeers,
  'gluster.volumes': parseVolumes,
  'gluster.status': parseStatus,
  'gluster.heal': parseHeal,
  'gluster.statedump': parseStatedump,
  'gluster.log': parseLog,
  'gluster.cli': parseCli,
};
