import type { Answer } from '../../../src/model/answer.ts';
import type { Probe } from '../../../src/model/system.ts';
import { CommandFailed } from '../../../src/model/errors.ts';
import { firstLine } from '../../../src/kit/answers.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { findSection, sectionsOf } from '../../../src/kit/sections.ts';
import { otherErrors } from '../read/parse-params.ts';
import { type HsmReading, hsmSchema } from '../readings-hsm.ts';
import { paramsScript } from './asking.ts';

/** So much of the list of requests is read, bytes: some 700 of them, which is enough to know that they wait. */
const most = 200_000;

const countOf = (text: string, form: RegExp): number => text.match(form)?.length ?? 0;

/** The values of these parameters by MDT and name; rows of the lists begin with `uuid=` and `lrh=`, as if they were parameters themselves. */
const valuesIn = (text: string): Map<string, Map<string, string>> => {
  const mdts = new Map<string, Map<string, string>>();
  for (const part of text.split(/^(?=mdt\.)/m)) {
    const [, name, key, value = ''] = /^mdt\.(\S+?-MDT[0-9a-f]{4,})\.(hsm[\w.]*)=([^]*)$/i.exec(part) ?? [];
    if (name === undefined || key === undefined) continue;
    mdts.set(name, (mdts.get(name) ?? new Map<string, string>()).set(key, value.trim()));
  }
  return mdts;
};

/**
 * The coordinator of each MDT (lustre/mdt/mdt_coordinator.c): its word, its copytools (a line `uuid=... archive_id=...` each), and its
 * requests (a line `... action=RESTORE ... status=WAITING` each).
 */
export const readHsm = ({ stdout, stderr }: Answer): { value: HsmReading } => {
  const sections = sectionsOf({ stdout: `@@faultline params\n${stdout}`, stderr }, 'reading HSM');
  if (/^sudo: /m.test(stderr))
    throw new CommandFailed('noPermission', `lctl: ${firstLine(stderr).slice(0, 200)}`);
  const listed = findSection(sections, 'actions')?.body ?? '';
  const actions = valuesIn(listed);
  return {
    value: {
      mdts: [...valuesIn(sections[0]?.body ?? '')].map(([name, values]) => {
        const rows = actions.get(name)?.get('hsm.actions') ?? '';
        const agents = values.get('hsm.agents');
        return {
          name,
          waiting: countOf(rows, /\bstatus=WAITING\b/g),
          started: countOf(rows, /\bstatus=STARTED\b/g),
          restores: rows
            .split('\n')
            .filter((row) => row.includes(' action=RESTORE ') && row.includes(' status=WAITING')).length,
          ...dropUndefined({
            control: values.get('hsm_control'),
            agents: agents === undefined ? undefined : countOf(agents, /^uuid=/gm),
          }),
        };
      }),
      cut: listed.length >= most - 1000,
      failed: otherErrors(stderr),
    },
  };
};

/** What the HSM coordinators of an MDS say. On a site without HSM they stand still and have nothing to do. */
export const hsmProbe: Probe<HsmReading> = {
  id: 'lustre.mds-hsm',
  role: 'lustre-mds',
  everyMs: 120_000,
  touches: 'nothing',
  ask: (_host, { site }) => ({
    script: [
      paramsScript(site, ['mdt.*.hsm_control', 'mdt.*.hsm.agents']),
      `printf '\\n@@faultline actions\\n'`,
      `${paramsScript(site, ['mdt.*.hsm.actions'])} | head -c ${most}`,
      `printf '\\n@@faultline end\\n'`,
    ].join('\n'),
    maxBytes: 2 * most,
  }),
  read: readHsm,
  schema: hsmSchema,
};
