import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { ClientReading, MdsReading, OssReading } from '../readings.ts';
import { settingsOf } from '../settings.ts';
import { lustreOf } from './join.ts';
import { finding, hostSubject, proof } from './names.ts';

/** What tells which file systems there are; clients tell of those that another centre serves. */
const telling = ['lustre.mds', 'lustre.oss', 'lustre.client'] as const;

/**
 * Settings of a file system by a name that no host reports hold for none: the general ones do. Silent until all who tell were read, and
 * while a host without the modules, or one that may not be read in full, might tell of more.
 */
export const unusedSettingsFindings = (judgement: Judgement): FindingDraft[] => {
  const names = lustreOf(judgement).systems.map(({ name }) => name);
  const sources = telling.flatMap((probe) =>
    judgement.readings
      .sources<MdsReading | OssReading | ClientReading>(probe)
      .map(({ host, state, good }) => ({
        probe,
        host,
        isWhole: state === 'fresh' && good?.value.unloaded !== true && good?.value.denied.length === 0,
      })),
  );
  const [first] = sources;
  if (!first || names.length === 0 || sources.some(({ isWhole }) => !isWhole)) return [];
  return Object.keys(settingsOf(judgement.site).fileSystems)
    .filter((name) => !names.includes(name))
    .map((name) =>
      finding({
        kind: 'settings-unused',
        key: name,
        severity: 'warning',
        subject: hostSubject(first.host),
        summary: `lustre.fileSystems.${name} is for no file system that is read here: the general limits hold`,
        advice: `File systems here: ${names.join(', ')}.`,
        evidence: sources.map(({ probe, host }) =>
          proof(`${host} has no target and no mount of ${name}`, judgement, probe, host),
        ),
      }),
    );
};
