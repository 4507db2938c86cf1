import { execFile } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { storage } from '../../probes/storage/index.ts';
import { readUps } from '../../probes/storage/read/read-ups.ts';
import type { UpsReading } from '../../probes/storage/readings.ts';
import { shellText } from '../../scripts/shell-text.ts';
import { answerOf } from '../helpers/answer.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';
import { missingPrograms } from './packages.ts';

const isPossible =
  process.getuid?.() === 0 &&
  missingPrograms({
    '/lib/nut/dummy-ups': 'nut-server',
    '/lib/nut/upsd': 'nut-server',
    '/bin/upsc': 'nut-client',
    '/usr/bin/unshare': 'util-linux',
    '/usr/sbin/ip': 'iproute2',
  }).length === 0;

const PORT = 34_931;
/** One UPS as NUT's own driver of made-up values plays it, and upsd, which asks it. */
const lab = `
mount -t tmpfs none /run && ip link set lo up || exit 99
at=/run/nut; mkdir $at; cd $at
echo 'MODE=netserver' > nut.conf
printf '[rack1]\\n driver=dummy-ups\\n port=rack1.dev\\n mode=dummy-once\\n pollinterval=1\\n' > ups.conf
printf 'LISTEN 127.0.0.1 ${PORT}\\nMAXAGE 4\\n' > upsd.conf
printf '[op]\\n password = op\\n actions = SET\\n' > upsd.users
printf 'ups.status: OL\\nups.model: Lab UPS\\nbattery.charge: 100\\nbattery.runtime: 744\\nbattery.mfr.date: 2023/11/10\\nups.test.result: Done and passed\\n' > rack1.dev
chown -R nut:nut $at; chmod 640 *
export NUT_CONFPATH=$at NUT_STATEPATH=$at NUT_ALTPIDPATH=$at
/lib/nut/dummy-ups -u nut -a rack1 > driver.log 2>&1
/lib/nut/upsd -u nut > upsd.log 2>&1
ask() { printf '=== %s\\n' "$1"; sh -c "$SCRIPT" faultline-storage-ups nut "$2"; }
# until WORD: the answer holds it.
until_says() { n=0; while [ $n -lt 40 ]; do upsc rack1@127.0.0.1:${PORT} 2>&1 | grep -q "$1" && return; n=$((n + 1)); sleep 0.5; done; }
status() { upsrw -s ups.status="$1" -u op -p op rack1@127.0.0.1:${PORT} > /dev/null 2>&1; until_says "ups.status: $1"; }
until_says 'ups.status: OL'
ask online rack1@127.0.0.1:${PORT}
status 'OL RB'
ask replace rack1@127.0.0.1:${PORT}
status 'OB LB'
ask low rack1@127.0.0.1:${PORT}
driver=$(cat $at/dummy-ups-rack1.pid)
kill -STOP "$driver"; until_says 'Data stale'
ask hung rack1@127.0.0.1:${PORT}
kill -KILL "$driver"; until_says 'Driver not connected'
ask dead rack1@127.0.0.1:${PORT}
ask unknown other@127.0.0.1:${PORT}
`;

/** What the probe's own script printed at each step. */
const play = (): Promise<ReadonlyMap<string, string>> =>
  new Promise((resolve, reject) => {
    execFile(
      'unshare',
      ['-n', '-m', '-p', '-f', '--kill-child', '--mount-proc', 'sh', '-c', lab],
      {
        timeout: 90_000,
        env: {
          PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
          LC_ALL: 'C',
          SCRIPT: shellText('probes/storage/ask/ups.sh'),
        },
      },
      (error, stdout, stderr) => {
        if (error) reject(new Error(`${error.message}\n${stderr}`));
        else
          resolve(
            new Map(
              stdout
                .split('=== ')
                .slice(1)
                .map((part): [string, string] => [
                  part.slice(0, part.indexOf('\n')),
                  part.slice(part.indexOf('\n') + 1),
                ]),
            ),
          );
      },
    );
  });

const NAME = `rack1@127.0.0.1:${PORT}`;

const findings = (readings: readonly UpsReading[]): readonly string[] => {
  const sources = new Sources();
  for (const [at, value] of readings.entries())
    sources.good('storage.ups', 'mgmt1', value, start - (readings.length - 1 - at) * 30_000, 20, 5);
  const site = siteOf([{ name: 'mgmt1', roles: ['ups'] }], {
    settings: { storage: { ups: [{ host: 'mgmt1', name: NAME, feeds: ['oss1'] }] } },
  });
  return storage.findings(judgementOf({ readings: sources, site })).map(({ summary }) => summary);
};

describe.skipIf(!isPossible)('a UPS by a real upsd and NUT’s own driver', () => {
  it(
    'is read online, wanting a battery, nearly empty, hung, dead and unknown',
    { timeout: 120_000 },
    async () => {
      const said = await play();
      const read = (step: string): UpsReading => readUps(answerOf(said.get(step) ?? '')).value;
      expect(read('online').units).toEqual([
        {
          name: NAME,
          status: ['OL'],
          onBattery: false,
          lowBattery: false,
          replaceBattery: false,
          model: 'Lab UPS',
          chargePct: 100,
          runtimeS: 744,
          batteryDate: '2023/11/10',
          selfTest: 'Done and passed',
        },
      ]);
      expect(findings([read('online')])).toEqual([]);
      expect(findings([read('replace')])).toEqual([`UPS ${NAME}: wants its battery replaced; it feeds oss1`]);
      expect(findings([read('low')])).toEqual([
        `UPS ${NAME}: runs on its battery, nearly empty; it feeds oss1`,
      ]);
      for (const [step, why] of [
        ['hung', 'Data stale'],
        ['dead', 'Driver not connected'],
        ['unknown', 'Unknown UPS'],
      ] as const) {
        const [unit] = read(step).units;
        expect(unit?.failure, step).toContain(why);
        if (step !== 'unknown')
          expect(findings([read(step), read(step), read(step)])[0]).toContain(`says nothing: `);
      }
    },
  );
});
