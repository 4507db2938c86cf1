import type { Formats } from '../../../src/model/system.ts';
import { parseArcconf } from './parse-arcconf.ts';
import { parseLvs } from './parse-lvs.ts';
import { parseMdadm } from './parse-mdadm.ts';
import { parseMdstat } from './parse-mdstat.ts';
import { parseMdsys } from './parse-mdsys.ts';
import { parseMegacli } from './parse-megacli.ts';
import { parseMultipath } from './parse-multipath.ts';
import { parseSes } from './parse-ses.ts';
import { parseSmart } from './parse-smart.ts';
import { parseSsacli } from './parse-ssacli.ts';
import { parseStorcli } from './parse-storcli.ts';
import { parseUps } from './parse-ups.ts';
import { parseZpool } from './parse-zpool.ts';

/**
 * What `faultline parse storage.*` and `faultline parse ups.*` read. Each keeps the words of its tool and where each copy lives; what
 * that means for the data is judged elsewhere.
 */
export const storageFormats: Formats = {
  'storage.mdstat': parseMdstat,
  'storage.mdadm': parseMdadm,
  'storage.mdsys': parseMdsys,
  'storage.zpool': parseZpool,
  'storage.smart': parseSmart,
  // The command lines of RAID controllers make one document.
  'storage.storcli': parseStorcli,
  'storage.megacli': parseMegacli,
  'storage.ssacli': parseSsacli,
  'storage.arcconf': parseArcconf,
  'storage.multipath': parseMultipath,
  'storage.lvs': parseLvs,
  'storage.ses': parseSes,
  'ups.status': parseUps,
};
