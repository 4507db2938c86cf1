import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lustreProbes } from '../../probes/lustre/ask/probes.ts';
import type { Judgement } from '../../src/model/system.ts';
import { makeSafeDeep } from '../../src/text/safe.ts';
import { answerOf } from '../helpers/answer.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';
import { sharedPath } from '../helpers/shared-folder.ts';

/** Captures kept beside the repository and never in it. */
const captured = sharedPath('fixtures/lustre');
export const present = captured !== undefined;
export const folder = captured ?? '';

/** The release behind a folder's name: captures hold no `version` parameter, the probes ask for one. */
const releases: Readonly<Record<string, string>> = {
  '2.5': 'lustre: 2.5.3.90\nkernel: patchless_client\nbuild:  2.5.3.90',
  '2.12': '2.12.9',
  '2.15': '2.15.8',
  '2.17': '2.17.0',
};

/** What the captures hold of each probe's question; `dl` stands behind the marker of the script. */
const topics: Readonly<Record<string, { role: string; params: readonly string[]; devices: boolean }>> = {
  'lustre.mds': {
    role: 'lustre-mds',
    params: ['osp', 'osp-conn', 'osp-destroys', 'qos', 'recovery', 'usage'],
    devices: true,
  },
  'lustre.creates': { role: 'lustre-mds', params: ['osp'], devices: false },
  'lustre.oss': {
    role: 'lustre-oss',
    params: ['flags', 'recovery', 'usage', 'locks', 'lock-mem'],
    devices: true,
  },
  'lustre.oss-io': { role: 'lustre-oss', params: [], devices: false },
  'lustre.client': {
    role: 'lustre-client',
    params: ['osc', 'osc-conn', 'target-obd', 'locks'],
    devices: false,
  },
};

const roleOf = (host: string): string =>
  host.startsWith('mds') ? 'lustre-mds' : host.startsWith('oss') ? 'lustre-oss' : 'lustre-client';

/** All captures of a situation, fed through the probes. */
export const situation = (version: string, name: string, at = start): Judgement => {
  const place = join(folder, version, name);
  const files = readdirSync(place);
  const read = (file: string): string =>
    files.includes(file) ? readFileSync(join(place, file), 'utf8') : '';
  const hosts = [...new Set(files.map((file) => file.split('.')[0] ?? ''))];
  const site = siteOf(hosts.map((host) => ({ name: host, roles: [roleOf(host)] })));
  const readings = new Sources();
  const context = { site, readings, now: at };
  for (const host of site.hosts) {
    if (!files.some((file) => file.startsWith(`${host.name}.`) && file.endsWith('.txt'))) {
      for (const [probe, { role }] of Object.entries(topics))
        if (host.roles.includes(role))
          readings.fail(probe, host.name, {
            kind: 'connect',
            connect: 'unreachable',
            message: `${host.name}: no answer`,
          });
      continue;
    }
    for (const probe of lustreProbes) {
      // No capture holds words of LNet or HSM.
      if (!host.roles.includes(probe.role) || /lnet|ways|hsm/.test(probe.id)) continue;
      const topic = topics[probe.id];
      const answer = topic
        ? answerOf(
            `version=${releases[version]}\n${topic.params.map((one) => read(`${host.name}.${one}.txt`)).join('')}${topic.devices ? `health_check=${read(`${host.name}.health.txt`)}\n@@faultline devices 2\n${read(`${host.name}.dl.txt`)}` : ''}`,
            {
              stderr: topic.params.map((one) => read(`${host.name}.${one}.err`)).join(''),
              exitCode: 2,
            },
          )
        : probe.id === 'lustre.tasks'
          ? answerOf('now=1700000000\n')
          : answerOf(read(`${host.name}.df.txt`), { stderr: read(`${host.name}.df.err`) });
      const { value, notUnderstood = 0 } = probe.read(answer, host, context);
      if (notUnderstood > 0) throw new Error(`${probe.id} on ${host.name}: ${notUnderstood} not understood`);
      readings.good(probe.id, host.name, makeSafeDeep(probe.schema.parse(value)), at);
    }
  }
  return judgementOf({ readings, site, now: at });
};
