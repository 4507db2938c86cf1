import { describe, expect, it } from 'vitest';
import { platforms } from '../../probes/switch/platforms/index.ts';
import type { Platform } from '../../probes/switch/platforms/contracts.ts';
import { examineAll } from '../../src/commands/doctor.ts';
import type { Check } from '../../src/commands/doctor/report.ts';
import type { RawAnswer, Transport } from '../../src/model/answer.ts';
import { systems } from '../../src/registries/systems.ts';
import { parseSite } from '../../src/site/parse.ts';
import { viewOf } from '../../src/site/view.ts';
import { answerOf } from '../collect/helpers/fake-site.ts';
import { clock, transports } from './examined.ts';

const switches = systems.filter(({ id }) => id === 'switch');

/** Everything regular that a platform is asked, as its own table has it, word for word. */
const questionsOf = ({ ask, commits, chassis, minLinks, fabric }: Platform): readonly string[] => {
  const { optics, settings, ...plain } = ask;
  return [
    ...Object.values(plain).flat(),
    ...(optics && 'all' in optics ? optics.all : []),
    ...(settings && 'all' in settings ? settings.all : []),
    ...(commits ?? []),
    ...(chassis?.() ?? []),
    ...(minLinks ?? []),
    ...(fabric ? [fabric.script] : []),
  ];
};

/** Roles in which hosts of this platform are asked. */
const rolesOf = ({ id }: Platform): readonly string[] => (id === 'linux' ? ['nic'] : ['switch']);

/** All that doctor types on one such host, and what it says; `reply` answers, by all that was asked at once. */
const looked = async (
  platform: Platform,
  reply: (asked: string) => RawAnswer,
): Promise<{ asked: string; checks: readonly Check[] }> => {
  const site = viewOf(
    parseSite(
      `site: x\nhosts:\n  - {names: sw1, roles: [${rolesOf(platform).join(', ')}], platform: ${platform.id}}\n`,
      '/etc/site.yaml',
      { systems },
    ).site,
  );
  const all: string[] = [];
  const answer = (text: string): RawAnswer => {
    all.push(text);
    return text === 'true' ? answerOf('') : reply(text);
  };
  const pool = transports((_host, { script }) => answer(script));
  const to = (host: string): Transport => ({
    ...pool.transportTo(host),
    type: async ({ lines }) => answer(lines.join('\n')),
  });
  const [report] = await examineAll(site, switches, { ...pool, transportTo: to }, clock);
  return { asked: all.join('\n'), checks: report?.checks ?? [] };
};

const refusal = "% Invalid input detected at '^' marker.";
const refusing = (asked: string): RawAnswer =>
  answerOf(refusal, { exitCode: 1, stderr: Buffer.from(`${asked.split('\n')[0]}: ${refusal}\n`) });

const failed = (checks: readonly Check[]): readonly string[] =>
  checks.flatMap(({ name, state, text }) =>
    name === 'readings' && state === 'fail' ? [text.split(' ')[0] ?? ''] : [],
  );

/** Readings that are regular on a platform whatever it answers. */
const readingsOf = (platform: Platform): readonly string[] => {
  const { ask, commits, chassis, minLinks, fabric } = platform;
  const nic = platform.id === 'linux';
  return [
    ...(ask.counters
      ? [nic ? 'switch.nics' : platform.machineReadable ? 'switch.counters' : 'switch.screens']
      : []),
    ...(ask.neighbors ? [nic ? 'switch.nicneighbors' : 'switch.neighbors'] : []),
    ...(ask.lags && !nic ? ['switch.lags'] : []),
    ...(ask.optics && 'all' in ask.optics ? ['switch.optics'] : []),
    ...(ask.settings && 'all' in ask.settings ? ['switch.settings'] : []),
    ...(commits ? ['switch.commits'] : []),
    // A device that knows no VLT has none: there the refusal is the answer.
    ...(chassis && platform.id !== 'dell_ftos' ? ['switch.chassis'] : []),
    ...(minLinks ? ['switch.minlinks'] : []),
    ...(fabric ? ['switch.fabric'] : []),
  ];
};

describe.each(platforms.map((platform) => [platform.id, platform] as const))(
  'doctor on %s',
  (_id, platform) => {
    it('types word for word what the readings ask, and names each that is refused', async () => {
      const { asked, checks } = await looked(platform, refusing);
      const nic = platform.id === 'linux';
      for (const line of questionsOf(platform))
        if (!nic || !(platform.ask.lags ?? []).includes(line)) expect(asked).toContain(line);
      expect(failed(checks).toSorted()).toEqual(readingsOf(platform).toSorted());
    });
  },
);

/** One port with a link, as these print it: they are asked for modules and settings port by port. */
const counters: Readonly<Record<string, string>> = {
  dell_ftos: `TenGigabitEthernet 0/45 is up, line protocol is up
Input Statistics:
     1000 packets, 64000 bytes
     0 runts, 0 giants, 0 throttles
     0 CRC, 0 overrun, 0 discarded
Output Statistics:
     1000 packets, 64000 bytes, 0 underruns
`,
  linux: JSON.stringify([
    { ifname: 'eth0', operstate: 'UP', flags: ['UP'], stats64: { rx: { packets: 1, errors: 0 }, tx: {} } },
  ]),
};

describe.each([
  ['dell_ftos', 'show interfaces tengigabitethernet 0/45 transceiver', refusing, ['switch.optics']],
  [
    'linux',
    'ethtool -m eth0',
    () =>
      answerOf('--- ethtool -m eth0\n', {
        exitCode: 1,
        stderr: Buffer.from('netlink error: Operation not permitted\n'),
      }),
    ['switch.nicoptics', 'switch.nicsettings'],
  ],
] as const)('doctor on %s, that is asked for modules one by one', (id, line, refuse, readings) => {
  const platform = platforms.find((one) => one.id === id);
  if (!platform) throw new Error(`no platform ${id}`);
  const question = (platform.ask.counters ?? []).join('\n');

  it('asks for one of them, though none has an error', async () => {
    const { asked, checks } = await looked(platform, (text) =>
      text === question ? answerOf(counters[id] ?? '') : refuse(text),
    );
    expect(asked).toContain(line);
    expect(failed(checks)).toEqual(expect.arrayContaining([...readings]));
  });

  it('an account that may ask, of a port without a module, has nothing to mend there', async () => {
    const { checks } = await looked(platform, (text) =>
      text === question
        ? answerOf(counters[id] ?? '')
        : answerOf(`--- ${line}\n`, {
            exitCode: 1,
            stderr: Buffer.from('netlink error: Operation not supported\n'),
          }),
    );
    expect(failed(checks).filter((one) => one.endsWith('optics'))).toEqual([]);
  });
});
