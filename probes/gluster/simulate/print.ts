import { opVersion, type SimPeer, type SimState, type SimVolume, version } from './state.ts';

const xml = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<cliOutput>\n  <opRet>0</opRet>\n  <opErrno>0</opErrno>\n  <opErrstr/>\n${body}</cliOutput>\n`;

export const poolList = (state: SimState, peer: SimPeer): string => {
  const rows = [...state.peers.values()].filter((one) => one !== peer);
  const line = ({ uuid }: SimPeer, name: string, word: string): string =>
    `${uuid}\t${name.padEnd(9)}\t${word} \n`;
  return `UUID\t\t\t\t\tHostname \tState\n${rows
    .map((one) => line(one, one.name, one.glusterd === 'down' ? 'Disconnected' : 'Connected'))
    .join('')}${line(peer, 'localhost', 'Connected')}`;
};

export const peerStatus = (state: SimState, peer: SimPeer): string => {
  const rows = [...state.peers.values()].filter((one) => one !== peer);
  return `Number of Peers: ${rows.length}\n${rows
    .map(
      (one) =>
        `\nHostname: ${one.name}\nUuid: ${one.uuid}\nState: Peer in Cluster (${one.glusterd === 'down' ? 'Disconnected' : 'Connected'})\n`,
    )
    .join('')}`;
};

export const volumeInfo = (volumes: Iterable<SimVolume>): string => {
  const rows = [...volumes].map(
    ({ name, id, bricks, options }) => `      <volume>
        <name>${name}</name>
        <id>${id}</id>
        <status>1</status>
        <statusStr>Started</statusStr>
        <brickCount>${bricks.length}</brickCount>
        <distCount>3</distCount>
        <replicaCount>3</replicaCount>
        <type>${bricks.length > 3 ? 7 : 2}</type>
        <typeStr>${bricks.length > 3 ? 'Distributed-Replicate' : 'Replicate'}</typeStr>
        <bricks>
${bricks.map(({ peer, path }) => `          <brick>${peer}:${path}<name>${peer}:${path}</name></brick>\n`).join('')}        </bricks>
        <options>
${Object.entries(options)
  .map(([key, value]) => `          <option><name>${key}</name><value>${value}</value></option>\n`)
  .join('')}        </options>
      </volume>
`,
  );
  return xml(
    `  <volInfo>\n    <volumes>\n${rows.join('')}      <count>${rows.length}</count>\n    </volumes>\n  </volInfo>\n`,
  );
};

/** `files`: those that it lists of each brick. */
export const healInfo = ({ bricks, split }: SimVolume, files = ''): string => {
  const more = split.filter(({ healed }) => !healed).length;
  const rows = bricks.map(({ peer, path, up, pending }) =>
    up
      ? `      <brick hostUuid="-">\n        <name>${peer}:${path}</name>\n        <status>Connected</status>\n${files}        <numberOfEntries>${pending + more}</numberOfEntries>\n      </brick>\n`
      : `      <brick hostUuid="-">\n        <name>${peer}:${path}</name>\n        <status>Transport endpoint is not connected</status>\n        <numberOfEntries>-</numberOfEntries>\n      </brick>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<cliOutput>\n  <healInfo>\n    <bricks>\n${rows.join('')}    </bricks>\n  </healInfo>\n  <opRet>0</opRet>\n  <opErrno>0</opErrno>\n  <opErrstr/>\n</cliOutput>\n`;
};

/** `ps -o pid=,stat=,etimes=,args=` of what gluster runs on a peer. */
export const processes = (state: SimState, peer: SimPeer, now: number): string => {
  const age = Math.floor((now - peer.startedAt) / 1000);
  const line = (pid: number, args: string): string =>
    `${String(pid).padStart(7)} Ssl  ${String(age).padStart(7)} ${args}\n`;
  const bricks = [...state.volumes.values()].flatMap(({ name, bricks: all }) =>
    all
      .filter((brick) => brick.peer === peer.name && brick.up)
      .map(({ path, pid }) =>
        line(
          pid,
          `/usr/sbin/glusterfsd -s ${peer.name} --volfile-id ${name}.${peer.name}.${path.slice(1).replaceAll('/', '-')} -p /var/run/gluster/vols/${name}/${peer.name}-${path.slice(1).replaceAll('/', '-')}.pid --brick-name ${path} -l /var/log/glusterfs/bricks/${path.slice(1).replaceAll('/', '-')}.log --brick-port 49152`,
        ),
      ),
  );
  return `${bricks.join('')}${line(peer.pid + 40, '/usr/sbin/glusterfs -s localhost --volfile-id gluster/glustershd -p /var/run/gluster/glustershd/glustershd.pid -l /var/log/glusterfs/glustershd.log')}`;
};

export const pidFiles = (state: SimState, peer: SimPeer): string =>
  [...state.volumes.values()]
    .flatMap(({ name, bricks }) =>
      bricks
        .filter((brick) => brick.peer === peer.name)
        .map(
          ({ path, pid }) =>
            `${pid} /run/gluster/vols/${name}/${peer.name}-${path.slice(1).replaceAll('/', '-')}.pid\n`,
        ),
    )
    .join('');

export const infoFile = (peer: SimPeer): string => `UUID=${peer.uuid}\noperating-version=${opVersion}\n`;

export const versionText = `glusterfs ${version}\n`;

/** What SIGUSR1 makes glusterd write: the sections that are read. */
export const glusterdDump = (state: SimState, peer: SimPeer, now: number): string => {
  const others = [...state.peers.values()].filter((one) => one !== peer);
  const at = new Date(now).toISOString().replace('T', ' ').replace('Z', '');
  const peers = others.map((one, index) => {
    const key = `glusterd.peer${index + 1}`;
    const up = one.glusterd === 'down' ? 0 : 1;
    return `${key}.uuid=${one.uuid}\n${key}.hostname=${one.name}\n${key}.port=24007\n${key}.state=3\n${key}.locked=0\n${key}.rpc.peername=${one.address}:24007\n${key}.rpc.connected=${up}\n`;
  });
  const locks = [...peer.locks].map(([volume, { owner }]) => `\t${volume}_vol:${owner}\n`);
  return `DUMP-START-TIME: ${at}\nglusterd.my-uuid=${peer.uuid}\nglusterd.working-directory=/var/lib/glusterd\nglusterd.max-op-version=${opVersion}\n${peers.join('')}glusterd.mgmt_v3_lock=\n${locks.join('')}glusterd.options=\n\tglobal-option-version:0\nDUMP-END-TIME: ${at}\n`;
};
