import { dropUndefined } from '../../../src/kit/known.ts';
import type { Read } from '../ask/asking.ts';
import { parseVersion } from './words.ts';
import { type Params, flag, groupParams, type Values } from './parse-params.ts';
import type { MdtImport, Mgc } from '../readings.ts';

/** The state behind the tab of `*_server_uuid` (`scratch-MDT0000_UUID<TAB>FULL`), else that of the import. */
const stateOf = (values: Values): string | undefined => {
  const pair =
    values.get('mdt_server_uuid') ?? values.get('mds_server_uuid') ?? values.get('mgs_server_uuid');
  const [, state = ''] = (pair ?? '').split(/\s+/);
  return state === '' ? /^\s*state:\s*(\S+)/m.exec(values.get('import') ?? '')?.[1] : state;
};

/**
 * Connections to MDTs. `mdc.scratch-MDT0000-mdc-ffff8f3e5b1c7000.*` are a client's (`mds_server_uuid`, lustre/mdc/lproc_mdc.c),
 * `osp.scratch-MDT0001-osp-MDT0000.*` those of MDT0000 (`mdt_server_uuid`, lustre/osp/lproc_osp.c).
 */
export const readMdtImports = (params: Params): MdtImport[] => {
  const clients = groupParams(params, /^mdc\.(.+-MDT[0-9a-f]{4,})-mdc-[^.]+\.(.+)$/i);
  const servers = groupParams(params, /^osp\.(.+-MDT[0-9a-f]{4,}-osp-MDT[0-9a-f]{4,})\.(.+)$/i);
  return [
    ...[...clients].map(([name, values]) => importOf({ name }, values)),
    ...[...servers].flatMap(([pair, values]) => {
      const [, fs, to, from] = /^(.+)-(MDT[0-9a-f]+)-osp-(MDT[0-9a-f]+)$/i.exec(pair) ?? [];
      return to === undefined ? [] : [importOf({ name: `${fs}-${to}`, from: `${fs}-${from}` }, values)];
    }),
  ];
};

const importOf = (ends: Pick<MdtImport, 'name' | 'from'>, values: Values): MdtImport => ({
  ...ends,
  ...dropUndefined({ active: flag(values, 'active'), state: stateOf(values) }),
});

/** Connections to the management server; a host without an `import` line says nothing of its own. Names hold dots. */
const readMgcs = (params: Params): Mgc[] =>
  [...groupParams(params, /^mgc\.(.+)\.(import|mgs_server_uuid)$/)].flatMap(([name, values]) => {
    const state = stateOf(values);
    return state === undefined ? [] : [{ name, state }];
  });

/** `health_check` in one line: up to 2.12 the devices that are not well stand before the verdict. */
const healthOf = (text: string | undefined): string | undefined =>
  text
    ?.split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('; ');

/** What every kind of Lustre host says of itself, and what it did not. */
export const readCommon = ({ params, failed, unloaded }: Pick<Read, 'params' | 'failed' | 'unloaded'>) => ({
  ...dropUndefined({
    version: parseVersion(params.params['version']),
    health: healthOf(params.params['health_check']),
    unloaded,
  }),
  denied: params.denied ?? [],
  failed: [...failed],
  mgcs: readMgcs(params),
});
