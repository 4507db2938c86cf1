import { HOSTS, labFolder, NODES, readState, type LabState } from './folder.ts';
import { glusterCommand, glusterUsage } from './gluster-main.ts';
import { glusterDown, glusterUp } from './gluster.ts';
import { iperfDown, iperfUp } from './iperf.ts';
import { down, status, up } from './lab.ts';
import { end } from './processes.ts';
import {
  breakCheck,
  freeze,
  mendCheck,
  pidFileOf,
  setCheckMode,
  slurm,
  startController,
  startMunge,
  startNode,
  thaw,
} from './slurm.ts';
import { killSshd, putBackHostKey, setNoisy, signalSshd, startSshd, swapHostKey } from './sshd.ts';

interface Helper {
  takes: string;
  text: string;
  run(name: string, more: readonly string[], state: LabState): void | Promise<void>;
}

const folder = labFolder();

const start = (daemon: string): Promise<void> => {
  if (daemon === 'slurmctld') return startController(folder);
  if (daemon === 'munged') return startMunge(folder);
  return startNode(folder, daemon.replace('slurmd-', ''));
};

const helpers: Readonly<Record<string, Helper>> = {
  'break-check': {
    takes: 'NODE',
    text: 'its mount is lost: slurmd drains it within 4 s',
    run: (node) => breakCheck(folder, node),
  },
  'mend-check': {
    takes: 'NODE',
    text: 'the mount is back, the check is itself again',
    run: (node) => mendCheck(folder, node),
  },
  'hang-check': {
    takes: 'NODE',
    text: 'the check asked for by slurm.check never ends',
    run: (node) => setCheckMode(folder, node, 'hang'),
  },
  'flood-check': {
    takes: 'NODE',
    text: 'it prints 100 MB',
    run: (node) => setCheckMode(folder, node, 'flood'),
  },
  drain: {
    takes: 'NODE REASON...',
    text: 'drains as a person does',
    run: (node, reason) =>
      void slurm(
        folder,
        'scontrol',
        'update',
        `nodename=${node}`,
        'state=drain',
        `reason=${reason.join(' ')}`,
      ),
  },
  stop: {
    takes: 'DAEMON',
    text: 'ends slurmctld, munged or slurmd-NODE',
    run: (daemon) => end(pidFileOf(folder, daemon)),
  },
  start: { takes: 'DAEMON', text: 'starts it again', run: start },
  freeze: { takes: 'DAEMON', text: 'SIGSTOP: it hangs', run: (daemon) => freeze(folder, daemon) },
  thaw: { takes: 'DAEMON', text: 'SIGCONT', run: (daemon) => thaw(folder, daemon) },
  'kill-sshd': {
    takes: 'HOST',
    text: 'its sshd and every session end',
    run: (host) => killSshd(folder, host),
  },
  'start-sshd': { takes: 'HOST', text: 'starts it again', run: (host) => startSshd(folder, host) },
  'freeze-sshd': {
    takes: 'HOST',
    text: 'its sshd and sessions hang',
    run: (host) => signalSshd(folder, host, 'SIGSTOP'),
  },
  'thaw-sshd': { takes: 'HOST', text: 'they go on', run: (host) => signalSshd(folder, host, 'SIGCONT') },
  'swap-hostkey': {
    takes: 'HOST',
    text: 'it shows another host key',
    run: (host, _, state) => swapHostKey(folder, state, host),
  },
  'put-back-hostkey': {
    takes: 'HOST',
    text: 'the old key again',
    run: (host, _, state) => putBackHostKey(folder, state, host),
  },
  noisy: {
    takes: 'HOST',
    text: 'its login shell prints a banner',
    run: (host, _, state) => setNoisy(folder, state, host, true),
  },
  quiet: { takes: 'HOST', text: 'no more', run: (host, _, state) => setNoisy(folder, state, host, false) },
};

const usage = (): string =>
  [
    'npm run lab -- up [slurm]     starts munged, slurmctld, 8 slurmd and an sshd per host; prints the site file',
    'npm run lab -- up gluster     starts three glusterd with a replica-3 volume instead, or beside it',
    'npm run lab -- up iperf       starts six hosts in namespaces with shaped wires and real iperf between them',
    'npm run lab -- down           ends all of it and removes its folder',
    'npm run lab -- status         what runs',
    '',
    `While it is up (hosts: ${HOSTS.join(' ')}):`,
    ...Object.entries(helpers).map(
      ([name, { takes, text }]) => `npm run lab -- ${`${name} ${takes}`.padEnd(24)} ${text}`,
    ),
    '',
    ...glusterUsage(),
    '',
    `Everything is under ${folder} (FAULTLINE_LAB chooses another place). Needs root.`,
  ].join('\n');

const main = async ([command, name, ...more]: readonly string[]): Promise<number> => {
  if (command === 'up' && name === 'gluster') {
    console.log(`the gluster lab is up; try\n  npm run faultline -- --site ${await glusterUp(folder)}`);
    return 0;
  }
  if (command === 'up' && name === 'iperf') {
    console.log(`the iperf lab is up; try\n  npm run faultline -- --site ${await iperfUp(folder)}`);
    return 0;
  }
  if (command === 'gluster') return glusterCommand(folder, name, more);
  if (command === 'up') {
    if (name !== undefined && name !== 'slurm')
      throw new Error(`the lab has no part "${name}"; it has: slurm gluster iperf`);
    const siteFile = await up(folder);
    console.log(`the lab is up; try\n  npm run faultline -- --site ${siteFile}`);
    return 0;
  }
  if (command === 'down') {
    await glusterDown(folder);
    await iperfDown(folder);
    await down(folder);
    console.log('the lab is down');
    return 0;
  }
  if (command === 'status') {
    const rows = status(folder);
    for (const { daemon, state } of rows) console.log(`${daemon.padEnd(16)} ${state}`);
    return rows.every(({ state }) => state === 'up') ? 0 : 1;
  }
  const helper = helpers[command ?? ''];
  if (!helper || name === undefined) {
    console.error(usage());
    return command === undefined || command === 'help' ? 0 : 64;
  }
  const state = readState(folder);
  if (!state) throw new Error('the lab is not up; start it with "npm run lab -- up"');
  const daemons = ['slurmctld', 'munged', ...NODES.map((node) => `slurmd-${node}`)];
  const known = { HOST: HOSTS, DAEMON: daemons }[helper.takes] ?? NODES;
  if (!known.includes(name)) {
    throw new Error(`${name} is no ${helper.takes} of the lab; it has: ${known.join(' ')}`);
  }
  await helper.run(name, more, state);
  return 0;
};

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  for (let one = error; one instanceof Error; one = one.cause) console.error(one.message);
  process.exitCode = 1;
}
