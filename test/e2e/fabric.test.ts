import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSite, type DemoSite } from '../../src/demo/site.ts';
import type { SimulatedAnswer, SimulatedCall, Simulator } from '../../src/model/simulator.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { faultline } from './run.ts';

const leaf = '0x506b4b0300000001';
const spine = '0x248a070300000002';
const names: Readonly<Record<string, string>> = {
  [leaf]: 'MF0;leaf-07:MQM8700/U1',
  [spine]: 'MF0;spine-02:MQM8700/U1',
};

/** Two switches with two links, the host that is asked and the subnet manager's: enough of a fabric to be shut in. */
const newFabric = (): Simulator => {
  const down = new Set<string>();
  let timer: { at: number; unit: string; port: string } | undefined;
  let journal = '';
  const both = (number: number): string => {
    const [own, name] = [`SW    33 ${number} ${leaf} 4x`, `'${names[leaf]}'`];
    return down.has(String(number))
      ? `${own} ???  ${name}`
      : `${own} HDR - SW    12 ${number + 20} ${spine} ( ${name} - '${names[spine]}' )`;
  };
  const ports = (): string =>
    [
      both(29),
      both(30),
      `SW    33 18 ${leaf} 4x HDR - CA    46  1 0x7cfe900300000046 ( '${names[leaf]}' - 'fab1 HCA-1' )`,
      `SW    33 19 ${leaf} 4x HDR - CA    47  1 0x7cfe900300000047 ( '${names[leaf]}' - 'sm1 HCA-1' )`,
      '',
    ].join('\n');
  /** As iblinkinfo --line prints them. */
  const links = (): string =>
    [29, 30, 18, 19]
      .map(
        (number) =>
          `${leaf} "leaf-07"     33   ${number}[  ] ==(${
            down.has(String(number))
              ? '                Down/Disabled)==>             [  ] "" ( )'
              : ` 4X         53.125 Gbps Active/  LinkUp)==>  ${spine}     12   ${number + 20}[  ] "x" ( )`
          }\n`,
      )
      .join('');
  const state = ([guidFlag, guid, number = '', verb]: readonly string[]): SimulatedAnswer => {
    if (guidFlag !== '-G' || guid !== leaf)
      return { stderr: 'ibportstate: iberror: failed\n', exitCode: 255 };
    if (verb === 'disable') down.add(number);
    else if (verb === 'enable') down.delete(number);
    else if (verb !== 'query') return { stderr: 'usage: ibportstate\n', exitCode: 255 };
    return { stdout: `Switch PortInfo:\n# Port info: Lid 33 port ${number}\n`, mutated: verb !== 'query' };
  };
  const helper = ([program = '', ...words]: readonly string[], now: number): SimulatedAnswer | undefined => {
    if (program === 'systemctl')
      return { stdout: timer ? `${timer.unit}.timer loaded active waiting ibportstate\n` : '' };
    if (program === 'sh') {
      timer = undefined;
      return { mutated: true };
    }
    if (program !== 'systemd-run') return undefined;
    const value = (name: string): string =>
      words.find((word) => word.startsWith(name))?.slice(name.length) ?? '';
    const seconds = Number.parseInt(value('--on-active='), 10);
    timer = { at: now + seconds * 1000, unit: value('--unit='), port: words.at(-2) ?? '' };
    return { mutated: true };
  };
  const call = ({ host, argv, now }: SimulatedCall): SimulatedAnswer | undefined => {
    if (timer && timer.at <= now) {
      down.delete(timer.port);
      timer = undefined;
    }
    const [program, ...words] = argv;
    if (host === 'admin1') {
      if (program === 'cat' && words[0]?.endsWith('/switch-journal.jsonl')) return { stdout: journal };
      if (program !== 'sh' || !words[1]?.includes('"kind"')) return undefined;
      const [, , , , kind, port, , by] = words;
      journal += `${JSON.stringify({ kind, at: now, port, by })}\n`;
      return { mutated: true };
    }
    if (program === 'ibnetdiscover' && words.join(' ') === '-p') return { stdout: ports() };
    if (program === 'iblinkinfo') return { stdout: links() };
    if (program === 'ibstat') return { stdout: "CA 'mlx5_0'\n\tPort 1:\n\t\tBase lid: 46\n\t\tSM lid: 47\n" };
    if (program === 'ibqueryerrors') return { stdout: '\n## Summary: 3 nodes checked, 0 bad nodes found\n' };
    if (program === 'ibportstate') return state(words);
    return helper(argv, now);
  };
  return {
    system: 'switch',
    hosts: [
      { name: 'fab1', roles: ['switch', 'switch-helper'], platform: 'infiniband' },
      { name: 'admin1', roles: ['switch-helper'] },
    ],
    settings: { hold: 60 },
    programs: ['systemctl', 'ibportstate'],
    incidents: [],
    start: () => undefined,
    call,
  };
};

describe('a link of an InfiniBand fabric, from a host in it', () => {
  let site: DemoSite;
  let state: string;
  beforeAll(async () => {
    site = await startSite([newFabric()], 'quiet');
    state = emptyFolder('fabric');
  });
  afterAll(async () => {
    await site.close();
  });
  const act = (action: string, port: string, ...more: readonly string[]) =>
    faultline(['act', action, `fab1:${port}`, ...more, '--site', site.siteFile], { XDG_STATE_HOME: state });

  test('is refused where nothing would carry on, kept while a parallel one does, and put back', async () => {
    const refused = await act('switch.shut', 'leaf-07/19', '--json');
    expect(refused.code, refused.stdout + refused.stderr).toBe(4);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      refused: {
        guard: '9 own way',
        reason:
          'it is the link of sm1, the subnet manager; sm1 is no node of this site, so whether it is drained is not known',
      },
    });

    const confirm = ['--confirm', 'shut fab1:leaf-07/29'];
    const kept = await act('switch.shut', 'leaf-07/29', ...confirm, '--keep-if-verified');
    expect(kept.code, kept.stdout + kept.stderr).toBe(0);
    expect(kept.stdout).toContain('links between leaf-07 and spine-02   before 2, now 1');
    expect(kept.stdout).toContain('kept: leaf-07/29 reads down');

    const last = await act('switch.shut', 'leaf-07/30', '--json');
    expect(JSON.parse(last.stdout)).toMatchObject({
      refused: { reason: 'it is the only link between leaf-07 and spine-02' },
    });

    const status = await faultline(['status', '--site', site.siteFile, '--system', 'switch']);
    expect(status.stdout).toMatch(/fab1 leaf-07\/29 shut by \S+, not saved/);

    const back = await act('switch.restore', 'leaf-07/29', '--confirm', 'restore fab1:leaf-07/29');
    expect(back.code, back.stdout + back.stderr).toBe(0);
    expect(back.stdout).toContain('leaf-07/29 reads up');
    const sent = site.calls().filter(({ argv, mutated }) => mutated && argv[0] === 'ibportstate');
    expect(sent.map(({ argv }) => argv.join(' '))).toEqual([
      `ibportstate -G ${leaf} 29 disable`,
      `ibportstate -G ${leaf} 29 enable`,
    ]);
  });
});
