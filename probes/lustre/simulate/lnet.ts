import type { SimulatedAnswer } from '../../../src/model/simulator.ts';
import { isSince, type SimState } from './state.ts';

/** MDSs from .1 on, OSSs from .11 on, as the simulated MGC's name has it; undefined where no LNet is shown. */
const nidOf = (host: string): string | undefined => {
  const [, kind, number] = /^(mds|oss)(\d+)$/.exec(host) ?? [];
  return kind === undefined ? undefined : `10.10.0.${Number(number) + (kind === 'oss' ? 10 : 0)}@o2ib`;
};

/** `lctl list_nids`. */
export const listNids = (host: string): SimulatedAnswer => ({ stdout: `${nidOf(host) ?? ''}\n` });

/** `lnetctl net show -v 3` of a server with a single rail (lustre_lnet_show_net, lnet/utils/lnetconfig/liblnetconfig.c). */
export const lnetctl = (state: SimState, host: string, words: readonly string[]): SimulatedAnswer => {
  const nid = nidOf(host);
  if (nid === undefined || words.slice(0, 2).join(' ') !== 'net show')
    return {
      stderr: 'show:\n    - net:\n          errno: -22\n          descr: "bad parameters"\n',
      exitCode: 1,
    };
  const counts = (pairs: readonly (readonly [string, number])[]): string =>
    pairs.map(([name, count]) => `              ${name}: ${count}\n`).join('');
  const ni = (address: string, more: string): string =>
    `      local NI(s):\n        - nid: ${address}\n          status: up\n${more}`;
  const traffic = counts([
    ['send_count', 918_224_031],
    ['recv_count', 911_420_877],
    ['drop_count', 214],
  ]);
  const health = isSince(state, 2, 12)
    ? `          health stats:\n${counts([
        ['health value', 1000],
        ['interrupts', 0],
        ['dropped', 0],
        ['aborted', 0],
        ['no route', 0],
        ['timeouts', 0],
        ['error', 0],
      ])}`
    : '';
  return {
    stdout: `net:\n    - net type: lo\n${ni('0@lo', '')}    - net type: o2ib\n${ni(nid, `          interfaces:\n              0: ib0\n          statistics:\n${traffic}${health}          dev cpt: 0\n          CPT: "[0,1]"\n`)}`,
  };
};
