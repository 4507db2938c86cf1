import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { labFolder } from './folder.ts';
import { IPERF_HOSTS, iperfNet, LINE, makeHost, shapeHosts } from './iperf-hosts.ts';
import { checkIperfMachine } from './packages.ts';
import { freePort } from './ports.ts';

/** What tests of a host connect to. On that of `if6` nobody listens: every test of it is refused. */
const addressOf = (host: string): string => {
  if (host === 'if11') return 'if11.invalid';
  return iperfNet.inner(host === 'if6' ? 'if5' : host);
};

const siteText = (folder: string): string => `# The iperf lab: hosts in namespaces, shaped wires, real iperf.
site: iperf-lab
sshConfig: ${iperfNet.places(folder).sshConfig}
hosts:
  - {names: "if[1-11]", roles: [iperf]}
iperf:
  lineGbps: ${LINE / 1000}
  seconds: 8
  addresses: {${IPERF_HOSTS.map((host) => `${host}: ${addressOf(host)}`).join(', ')}}
`;

/** Starts the hosts with real iperf between them; gives the site file. Throws when this machine can't shape a wire. */
export const iperfUp = async (folder = labFolder()): Promise<string> => {
  checkIperfMachine();
  const at = iperfNet.places(folder);
  if (existsSync(at.siteFile))
    throw new Error(`the iperf lab is up already (${at.siteFile}); "down" ends it`);
  mkdirSync(at.root, { recursive: true });
  try {
    for (const host of IPERF_HOSTS) await makeHost(folder, host);
    await iperfNet.wire(folder);
    shapeHosts(folder);
    const places = (port: number) => IPERF_HOSTS.map((host) => ({ address: iperfNet.outer(host), port }));
    iperfNet.startSshd(folder, await freePort(places));
    writeFileSync(at.siteFile, siteText(folder), { mode: 0o600 });
  } catch (error) {
    await iperfDown(folder);
    throw new Error('the iperf lab did not start', { cause: error });
  }
  return at.siteFile;
};

/** Ends everything the iperf lab started and removes its folder. */
export const iperfDown = async (folder = labFolder()): Promise<void> => {
  const at = iperfNet.places(folder);
  if (!existsSync(at.root)) return;
  await iperfNet.end(folder);
  rmSync(at.root, { recursive: true, force: true });
};
