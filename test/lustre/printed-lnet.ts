/** One NI as `lnetctl net show` prints it; what is not said is well. */
export interface PrintedNi {
  nid: string;
  interface?: string;
  status?: string;
  health?: number;
  sent?: number;
  received?: number;
  dropped?: number;
}

/** How the releases differ: 2.10 has no health; from 2.16 on it goes over netlink, indented by the YAML library. */
export type Style = '2.10' | '2.12' | '2.17';

const niLines = ({ nid, interface: name, ...ni }: PrintedNi, style: Style): string[] => [
  `nid: ${nid}`,
  `status: ${ni.status ?? 'up'}`,
  ...(name === undefined ? [] : ['interfaces:', `    0: ${name}`]),
  'statistics:',
  `    send_count: ${ni.sent ?? 48_211_034}`,
  `    recv_count: ${ni.received ?? 47_900_551}`,
  `    drop_count: ${ni.dropped ?? 17}`,
  ...(style === '2.10'
    ? []
    : [
        'sent_stats:',
        '    put: 23915',
        '    get: 52',
        'dropped_stats:',
        '    put: 5',
        'health stats:',
        ...(style === '2.17' ? ['    fatal_error: 0'] : []),
        `    health value: ${ni.health ?? 1000}`,
        '    interrupts: 0',
        '    dropped: 0',
        '    timeouts: 0',
      ]),
  'tunables:',
  '    peer_timeout: 180',
  '    peer_credits: 8',
  'dev cpt: 0',
  'CPT: "[0,1]"',
];

const hanging = (lines: readonly string[], [first, rest]: readonly [string, string]): string =>
  lines.map((line, at) => `${at === 0 ? first : rest}${line}\n`).join('');

/**
 * The answer of an LNet probe: `lctl list_nids`, then `lnetctl net show -v 3` in the shapes of lustre_lnet_show_net
 * (lnet/utils/lnetconfig/liblnetconfig.c) of these releases.
 */
export const printLnet = (
  nis: readonly PrintedNi[],
  { style = '2.12', nids = nis.map(({ nid }) => nid) }: { style?: Style; nids?: readonly string[] } = {},
): string => {
  const [net, ni]: [string, [string, string]] =
    style === '2.17' ? ['- ', ['      -     ', '            ']] : ['    - ', ['        - ', '          ']];
  const nets = [{ nid: '0@lo' }, ...nis].map(
    (one) =>
      `${net}net type: ${one.nid.split('@')[1]}\n      local NI(s):\n${hanging(niLines(one, style), ni)}`,
  );
  return `${nids.map((nid) => `${nid}\n`).join('')}\n@@faultline net\nnet:\n${nets.join('')}\n@@faultline end 0\n`;
};
