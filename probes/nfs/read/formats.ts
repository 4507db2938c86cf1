import type { Formats } from '../../../src/model/system.ts';
import { parseClients } from './parse-clients.ts';
import { parsePool, parseRpcstats } from './parse-counters.ts';
import { parseExports } from './parse-exports.ts';
import { parseListing } from './parse-listing.ts';
import { parseLog } from './parse-log.ts';
import { parseLscolors } from './parse-lscolors.ts';
import { parseMountcmd } from './parse-mountcmd.ts';
import { parseMounts } from './parse-mounts.ts';
import { parseMountstats } from './parse-mountstats.ts';
import { parseRpcinfo } from './parse-rpcinfo.ts';
import { parseVolumes } from './parse-volumes.ts';

/** What `faultline parse nfs.*` reads. */
export const nfsFormats: Formats = {
  'nfs.mounts': parseMounts,
  'nfs.mountstats': parseMountstats,
  'nfs.rpcstats': parseRpcstats,
  'nfs.pool': parsePool,
  'nfs.rpcinfo': parseRpcinfo,
  'nfs.exports': parseExports,
  'nfs.clients': parseClients,
  'nfs.volumes': parseVolumes,
  'nfs.listing': parseListing,
  'nfs.log': parseLog,
  'nfs.mountcmd': parseMountcmd,
  'nfs.lscolors': parseLscolors,
};
