import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import {
  ADMIN,
  CONTROLLER,
  HOSTS,
  isFolder,
  labFolder,
  NODES,
  places,
  readState,
  type LabState,
} from './folder.ts';
import { checkMachine } from './packages.ts';
import { freePort } from './ports.ts';
import { end, livingPid, stateOf, until } from './processes.ts';
import { prepareSlurm, slurm, startController, startMunge, startNode, stopSlurm } from './slurm.ts';
import { portsOf, prepareSsh, startSshd } from './sshd.ts';

const siteFile = (folder: string): string => {
  const at = places(folder);
  return `# The lab: real slurmctld, slurmd and sshd on this machine. Written by "npm run lab -- up".
site: lab
sshConfig: ${at.sshConfig}
shared: {host: ${ADMIN}, dir: ${at.shared}}
hosts:
  - {names: ${CONTROLLER}, roles: [slurm-controller]}
  - {names: "node[1-4]", roles: [compute], location: {rack: r1, breaker: b1}}
  - {names: "node[5-8]", roles: [compute], location: {rack: r2, breaker: b2}}
  - {names: ${ADMIN}}
slurm:
  check: {command: [${at.check}], env: {MARK_OFFLINE: "0"}, users: [root, slurm], reasons: ["^NHC:"]}
`;
};

/** Starts everything; gives the site file. Takes about 3 s. Throws with the next step when something is missing. */
export const up = async (
  folder = labFolder(),
  named: Pick<LabState, 'cluster' | 'controller'> = { cluster: 'lab', controller: CONTROLLER },
): Promise<string> => {
  checkMachine();
  const at = places(folder);
  if (readState(folder)) throw new Error(`the lab is up already (${at.siteFile}); "down" ends it`);
  mkdirSync(folder, { recursive: true });
  mkdirSync(at.shared, { recursive: true });
  // Colleagues' consoles write there too: doctor asks for it. chmod, because the mode of mkdir goes through the umask.
  chmodSync(at.shared, 0o2775);
  const nodeHostname = hostname().split('.')[0] ?? 'localhost';
  const port = await freePort((first) => portsOf({ port: first }));
  const state: LabState = { ...named, port, nodeHostname };
  writeFileSync(at.state, JSON.stringify(state));
  try {
    prepareSlurm(folder, state);
    prepareSsh(folder, state);
    writeFileSync(at.siteFile, siteFile(folder), { mode: 0o600 });
    await startMunge(folder);
    await startController(folder);
    for (const node of NODES) await startNode(folder, node);
    for (const host of HOSTS) await startSshd(folder, host);
    await until('all nodes idle', () => allIdle(folder));
  } catch (error) {
    await stopAll(folder);
    rmSync(at.state);
    throw new Error(`the lab did not start (logs are in ${at.log})`, { cause: error });
  }
  return at.siteFile;
};

const allIdle = (folder: string): boolean => {
  try {
    return (
      slurm(folder, 'sinfo', '-h', '-N', '-p', 'batch', '-o', '%T').trim() ===
      NODES.map(() => 'idle').join('\n')
    );
  } catch {
    // The controller takes a moment until it answers.
    return false;
  }
};

const stopAll = async (folder: string): Promise<void> => {
  for (const host of HOSTS) await end(places(folder).pid(`sshd-${host}`));
  await stopSlurm(folder);
};

/** Ends everything the lab started and removes its folder. */
export const down = async (folder = labFolder()): Promise<void> => {
  if (!isFolder(folder)) return;
  await stopAll(folder);
  rmSync(folder, { recursive: true, force: true });
};

/** One line per daemon: its name and `up`, `stopped` or `down`. */
export const status = (folder = labFolder()): { daemon: string; state: string }[] => {
  const daemons = [
    'munged',
    'slurmctld',
    ...NODES.map((node) => `slurmd-${node}`),
    ...HOSTS.map((host) => `sshd-${host}`),
  ];
  return daemons.map((daemon) => {
    const pid = livingPid(places(folder).pid(daemon));
    const stopped = pid !== undefined && stateOf(pid) === 'T';
    return { daemon, state: pid === undefined ? 'down' : stopped ? 'stopped' : 'up' };
  });
};
