import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { checksOf } from '../../probes/checks/definitions.ts';
import { siteWith } from '../checks/make.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { inOwn } from './own-machine.ts';
import { missingPrograms } from './packages.ts';

const NEEDED = {
  '/usr/sbin/chronyd': 'chrony',
  '/usr/sbin/munged': 'munge',
  '/usr/bin/openssl': 'openssl',
  '/usr/bin/dig': 'bind9-dnsutils',
  '/usr/bin/unshare': 'util-linux',
  '/usr/sbin/ip': 'iproute2',
  '/usr/bin/ipmitool': 'ipmitool',
  '/usr/bin/ipmi_sim': 'openipmi',
};

const isPossible = process.getuid?.() === 0 && missingPrograms(NEEDED).length === 0;

const site = siteWith(
  'chrony: {use: chrony}',
  'munge: {use: munge}',
  'certificates: {use: certificates, with: {certificates: "FILES 127.0.0.1:8443 127.0.0.1:8444"}}',
  'dns: {use: dns, with: {names: "localhost", servers: "127.0.0.1"}}',
  'users: {use: users, with: {users: "somebody-of-the-directory"}}',
  'disk: {use: disk}',
  'sel: {use: ipmi-sel, with: {ipmitool: "ipmitool -I lan -H 127.0.0.1 -p 9623 -U admin -P test"}}',
);

/** The script of a check as it is sent. */
const script = (name: string, put: (text: string) => string = (text) => text): string =>
  put(checksOf(site).get(name)?.scriptFor('ctl1') ?? '');

describe.skipIf(!isPossible)('checks of the library on real daemons', () => {
  let folder: string;
  beforeAll(() => {
    folder = emptyFolder('checks-lab');
    writeFileSync(join(folder, 'chrony.conf'), 'local stratum 5\nallow 127.0.0.1\n');
  });

  const chronyd = (): string =>
    `mkdir -p /run/chrony; chmod 750 /run/chrony; chronyd -x -u root -f ${folder}/chrony.conf >${folder}/chronyd.log 2>&1; for i in 1 2 3 4 5 6 7 8; do chronyc -n tracking >/dev/null 2>&1 && break; sleep 0.5; done`;

  it('chrony: a chronyd that sets the clock, one that has no source, and none', async () => {
    expect(await inOwn(chronyd(), script('chrony'))).toMatchObject({
      said: expect.stringMatching(
        /^CHRONY OK: off by -?0\.\d{3} ms from its own clock, stratum 5, Normal \|/,
      ),
      status: 0,
    });
    writeFileSync(join(folder, 'chrony.conf'), 'server 127.0.0.9\n');
    expect(await inOwn(chronyd(), script('chrony'))).toMatchObject({
      said: expect.stringMatching(/^CHRONY CRITICAL: not synchronised/),
      status: 2,
    });
    expect(await inOwn(':', script('chrony'))).toMatchObject({
      said: expect.stringMatching(/^CHRONY CRITICAL: chronyd does not answer: 506 Cannot talk to daemon/),
      status: 2,
    });
  });

  it('munge: a munged that answers, and none', async () => {
    const munged = `mkdir -p /run/munge; head -c 1024 /dev/urandom >${folder}/key; chmod 400 ${folder}/key; munged --force --key-file=${folder}/key --log-file=${folder}/munged.log --seed-file=${folder}/seed --pid-file=/run/munge/pid --socket=/run/munge/munge.socket.2`;
    expect(await inOwn(munged, script('munge'))).toEqual({
      said: 'MUNGE OK: a credential was made and read back\n',
      status: 0,
    });
    expect(await inOwn(':', script('munge'))).toMatchObject({
      said: expect.stringMatching(/^MUNGE CRITICAL: munge: Error: Failed to access/),
      status: 2,
    });
  });

  it('certificates: files and what a server shows, one that ends soon, one that has ended, and nobody who listens', async () => {
    const make = (name: string, days: number): string =>
      `openssl req -x509 -newkey rsa:2048 -nodes -keyout ${folder}/${name}.key -out ${folder}/${name}.pem -subj /CN=${name} -days ${days} >/dev/null 2>&1`;
    const before = `${make('long', 90)}; ${make('soon', 3)}; (openssl s_server -accept 8443 -cert ${folder}/long.pem -key ${folder}/long.key -quiet >/dev/null 2>&1 &) ; sleep 1`;
    const files = (names: string) => script('certificates', (text) => text.replace('FILES', names));
    const done = await inOwn(before, files(`${folder}/long.pem ${folder}/soon.pem ${folder}/chrony.conf`));
    expect(done.status).toBe(2);
    expect(done.said).toMatch(
      /^CERTIFICATES CRITICAL: \S+soon\.pem: ends in [23] days; \S+chrony\.conf: no certificate: /,
    );
    expect(done.said).toMatch(/127\.0\.0\.1:8444: no certificate: /);
    expect(done.said).toMatch(/ '127\.0\.0\.1:8443'=(?:89|90);21:;7:/);
    const fine = await inOwn(before, files(`${folder}/long.pem`).replace(' 127.0.0.1:8444', ''));
    expect(fine).toMatchObject({
      said: expect.stringMatching(/^CERTIFICATES OK: none ends within 21 days \|/),
      status: 0,
    });
  });

  it('dns: the host resolves, and no server answers', async () => {
    expect(await inOwn(':', script('dns'))).toEqual({
      said: 'DNS CRITICAL: 127.0.0.1 does not answer for localhost | asked=2\n',
      status: 2,
    });
    expect(
      await inOwn(
        ':',
        script('dns', (text) => text.replace('servers=127.0.0.1', "servers=''")),
      ),
    ).toEqual({
      said: 'DNS OK: 1 answers | asked=1\n',
      status: 0,
    });
  });

  it('ipmi-sel: the log of a service processor, by ipmitool over the network: what was taken back, and what was not', async () => {
    writeFileSync(
      join(folder, 'lan.conf'),
      [
        'name "bmc"',
        'set_working_mc 0x20',
        'startlan 1',
        '  addr 127.0.0.1 9623',
        '  priv_limit admin',
        '  allowed_auths_admin none md5 straight',
        '  guid a123456789abcdefa123456789abcdef',
        'endlan',
        'user 2 true "admin" "test" admin 10 none md5 straight',
      ].join('\n'),
    );
    writeFileSync(
      join(folder, 'bmc.emu'),
      [
        'mc_setbmc 0x20',
        'mc_add 0x20 0 no-device-sdrs 0x23 9 8 0x9f 0x1291 0xf02 persist_sdr',
        'sel_enable 0x20 1000 0x0a',
        'mc_enable 0x20',
        '',
      ].join('\n'),
    );
    const ipmitool = 'ipmitool -I lan -H 127.0.0.1 -p 9623 -U admin -P test';
    const bmc = `mkdir -p /run/bmc; (ipmi_sim -c ${folder}/lan.conf -f ${folder}/bmc.emu -s /run/bmc -n >${folder}/bmc.log 2>&1 &); for i in 1 2 3 4 5 6 7 8; do ${ipmitool} mc guid >/dev/null 2>&1 && break; sleep 0.5; done`;
    // Revision, type and number of the sensor, asserted (0x6f) or taken back (0xef), and three bytes (IPMI 2.0, 32.1 and table 42-3).
    const log = (bytes: string): string =>
      `echo '${bytes}' >/run/e; ${ipmitool} sel add /run/e >/dev/null 2>&1`;
    const correctable = log('0x04 0x0c 0x53 0x6f 0x00 0xff 0xff');
    const uncorrectable = log('0x04 0x0c 0x53 0x6f 0x01 0xff 0xff');
    const powerLost = log('0x04 0x08 0x60 0x6f 0x03 0xff 0xff');
    const powerBack = log('0x04 0x08 0x60 0xef 0x03 0xff 0xff');
    const asked = (...entries: readonly string[]) => inOwn([bmc, ...entries].join('\n'), script('sel'));
    expect(await asked(correctable, powerLost, powerBack)).toMatchObject({
      said: expect.stringMatching(/^SEL OK: 3 entries, none of them grave \| events=0 entries=3 full=0%/),
      status: 0,
    });
    expect(await asked(powerLost, powerBack, uncorrectable)).toMatchObject({
      said: expect.stringMatching(
        /^SEL CRITICAL: 1 not taken back, one of them Memory #0x53: Uncorrectable ECC \| events=1/,
      ),
      status: 2,
    });
    expect(await inOwn(':', script('sel'))).toMatchObject({
      said: expect.stringMatching(/^SEL UNKNOWN: /),
      status: 3,
    });
  });

  it('users: one whom the name service does not know', async () => {
    const { said, status } = await inOwn(':', script('users'));
    expect(said).toMatch(
      /^USERS CRITICAL: somebody-of-the-directory is not known \| 'somebody-of-the-directory'=\d+ms;1000\n$/,
    );
    expect(status).toBe(2);
  });

  it('disk: a full file system of the machine, and one of FUSE or a server is not among them', async () => {
    const full =
      'mkdir -p /run/full; mount -t tmpfs -o size=1m none /run/full; head -c 1100000 /dev/zero >/run/full/x 2>/dev/null';
    const { said, status } = await inOwn(full, script('disk'));
    expect(said).toMatch(/^DISK CRITICAL: .*\/run\/full 100% full/);
    expect(status).toBe(2);
  });
});
