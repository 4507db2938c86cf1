import { isSince, kbAvail, type SimOst, type SimState } from './state.ts';

/** Where a writable parameter writes to; gives the errno text when the kernel would refuse. */
type Write = (text: string) => string | undefined;

export interface Param {
  name: string;
  value: string;
  write?: Write;
}

const range = 'Numerical result out of range';
const invalid = 'Invalid argument';

const number = (text: string): number | undefined => (/^-?\d+$/.test(text) ? Number(text) : undefined);

/** Parameters of one thing that are only read. */
export const readOnly = (prefix: string, values: Readonly<Record<string, string | number>>): Param[] =>
  Object.entries(values).map(([name, value]) => ({ name: `${prefix}.${name}`, value: String(value) }));

/** A number that the kernel takes where `fits` says so. */
export const writeNumber =
  (fits: (value: number) => boolean, set: (value: number) => void): Write =>
  (text) => {
    const value = number(text);
    if (value === undefined) return invalid;
    if (!fits(value)) return range;
    set(value);
    return undefined;
  };

export const switchParam =
  (set: (on: boolean) => void): Write =>
  (text) => {
    if (text !== '0' && text !== '1') return invalid;
    set(text === '1');
    return undefined;
  };

export const usage = (prefix: string, ost: SimOst): Param[] =>
  readOnly(prefix, {
    kbytestotal: ost.kbTotal,
    kbytesfree: ost.kbTotal - ost.kbUsed,
    kbytesavail: kbAvail(ost),
  });

export const completeText = (start: number, clients: number, evicted: number): string =>
  [
    'status: COMPLETE',
    `recovery_start: ${Math.round(start / 1000)}`,
    'recovery_duration: 62',
    `completed_clients: ${clients - evicted}/${clients}`,
    'replayed_requests: 0',
    'last_transno: 8590148405',
    'VBR: DISABLED',
    'IR: ENABLED',
  ].join('\n');

export const quota = (state: SimState, target: string, stuck = false): Param => ({
  name: `osd-ldiskfs.${target}.quota_slave.info`,
  value: [
    `target name:    ${target}`,
    'pool ID:        0',
    'type:           dt',
    'quota enabled:  g',
    'conn to master: setup',
    `space acct:     ug${isSince(state, 2, 10) ? 'p' : ''}`,
    'user uptodate:  glb[0],slv[0],reint[0]',
    `group uptodate: ${stuck ? 'glb[0],slv[0],reint[1]' : 'glb[1],slv[1],reint[0]'}`,
    ...(isSince(state, 2, 10) ? ['project uptodate: glb[0],slv[0],reint[0]'] : []),
  ].join('\n'),
});
