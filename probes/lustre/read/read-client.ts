import { dropUndefined } from '../../../src/kit/known.ts';
import type { Read } from '../ask/asking.ts';
import { readCommon, readMdtImports } from './read-common.ts';
import { flag, groupParams, integer } from './parse-params.ts';
import type { ClientReading } from '../readings.ts';
import { isActiveWord } from './words.ts';

const targetLine = /^\s*\d+:\s+(\S+?)_UUID\s+(\S+)\s*$/;

/** What a client said. The suffix of its devices is a pointer that changes with each mount: OSTs are known by name. */
export const readClient = ({
  params,
  failed,
  notUnderstood,
}: Read): { value: ClientReading; notUnderstood: number } => {
  const oscs = groupParams(params, /^osc\.(.+-OST[0-9a-f]{4,})-osc-(?!MDT)[^.]+\.(.+)$/i);
  const locks = groupParams(params, /^ldlm\.namespaces\.(.+-OST[0-9a-f]{4,})-osc-[^.]+\.(.+)$/i);
  const listed = new Map<string, string>();
  for (const [name, text] of Object.entries(params.params)) {
    if (!/^lov\..*-clilov-.*\.target_obd$/.test(name)) continue;
    for (const line of text.split('\n')) {
      const [, ost, state] = targetLine.exec(line) ?? [];
      if (ost !== undefined && state !== undefined) listed.set(ost, state);
    }
  }
  const names = [...new Set([...listed.keys(), ...oscs.keys()])].sort();
  return {
    value: {
      ...readCommon({ params, failed }),
      mdts: readMdtImports(params),
      osts: names.map((name) => {
        const values = oscs.get(name) ?? new Map<string, string>();
        const [, state] = (values.get('ost_server_uuid') ?? '').split(/\s+/);
        const said = listed.get(name);
        const active = flag(values, 'active') ?? isActiveWord(said);
        const count = integer(locks.get(name) ?? new Map<string, string>(), 'lock_count');
        return { name, listed: said !== undefined, ...dropUndefined({ active, state, locks: count }) };
      }),
    },
    notUnderstood,
  };
};
