import { describe, expect, it } from 'vitest';
import { clushChecks } from '../../src/commands/doctor/clush-check.ts';
import { createFleet } from '../../src/transport/clush/fleet.ts';
import { realClock } from '../../src/collect/clock.ts';
import { siteOf } from '../helpers/judging.ts';
import { adminHost, endLine, nodeLine, type Job } from '../transport/clush/helpers.ts';

const hosts = ['node1', 'node2', 'node3', 'node4'];

const look = (say: Parameters<typeof adminHost>[0], behind = hosts, at = 'admin1') => {
  const site = siteOf([{ name: 'admin1' }, ...hosts.map((name) => ({ name }))], {
    clush: [{ through: 'admin1', hosts: behind }],
  });
  const { transport } = adminHost(say);
  const fleet = createFleet(site, {
    transports: { transportTo: () => transport },
    clock: realClock,
    log: () => {},
  });
  const host = site.host(at);
  if (!host) throw new Error(`no host ${at}`);
  return clushChecks(host, fleet, { site, clock: realClock });
};

const fine = (job: Job) => ({ lines: [...job.nodes.map((node) => nodeLine(job, node, {})), endLine(job)] });

describe('doctor looks whether ClusterShell can ask', () => {
  it('a few hosts answer: that is all there is to say', async () => {
    expect(await look(fine)).toEqual([
      { name: 'clush', state: 'ok', text: 'ClusterShell asks node[1-3], of 4 hosts' },
    ]);
  });

  it('says nothing of a host through which nobody is asked', async () => {
    expect(await look(fine, hosts, 'node1')).toEqual([]);
  });

  it('one host alone is never asked through it', async () => {
    expect(await look(fine, ['node1'])).toMatchObject([{ state: 'note' }]);
  });

  it('ClusterShell is not there: what to install, and the line that shows it', async () => {
    const [check] = await look(() => ({
      lines: ['{"fault":"missing","what":"/usr/bin/python3: No module"}'],
    }));
    expect(check).toMatchObject({
      state: 'fail',
      text: 'by ClusterShell none of node[1-3] answers: ClusterShell not found on admin1 (/usr/bin/python3: No module); install clustershell for its python3',
    });
    expect(check?.mend?.[0]).toContain("ssh admin1 'clush -w node1,node2,node3 true'");
  });

  it('a node that it does not reach is named, though others are', async () => {
    const said = Buffer.from('node2: Permission denied (publickey).').toString('base64');
    const [check] = await look((job) => ({
      lines: [
        ...job.nodes.map((node) =>
          nodeLine(job, node, {}, node === 'node2' ? { out: null, err: null, rc: 255, said } : {}),
        ),
        endLine(job),
      ],
    }));
    expect(check).toMatchObject({
      state: 'fail',
      text: expect.stringContaining(
        '2 of 3 hosts answer: ClusterShell on admin1: permission denied (the server takes publickey)',
      ) as string,
    });
  });
});
