import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import { DEVICES } from '../read/parse-params.ts';
import type { ClientReading, IoReading, MdsReading, OssReading } from '../readings.ts';
import { finding, summary } from './names.ts';

/** Parameters that a host has and did not give: without the right to, or in spite of it. */
export const partlyRead = (readings: Judgement['readings']): FindingDraft[] =>
  ['lustre.mds', 'lustre.oss', 'lustre.oss-io', 'lustre.client'].flatMap((probe) =>
    readings
      .sources<MdsReading | OssReading | IoReading | ClientReading>(probe)
      .flatMap(({ host, good, state }) =>
        state === 'fresh' && good
          ? [
              ...deniedFinding(good.value.denied, host, probe),
              ...lackFinding('unreadable', good.value.failed, 'could not be read', host, probe),
            ]
          : [],
      ),
  );

/** Who may not open the devices is not root, and sees nothing of debugfs either: its files are not there for this login. */
const deniedFinding = (denied: readonly string[], host: string, probe: string): FindingDraft[] => {
  const text = 'may not be read with this login';
  const found = lackFinding('denied', denied, text, host, probe);
  if (!denied.includes(DEVICES)) return found;
  const others = denied.length - 1;
  return found.map((one) => ({
    ...one,
    summary: summary(
      host,
      `: devices, recovery and imports${others > 0 ? ` and ${count(others, 'parameter')}` : ''} ${text}`,
    ),
    advice:
      'Only root may list the devices (`lctl dl`) and look into debugfs (recovery_status, import), whose files are not there for others: log in as root there, or set lustre.sudo.',
  }));
};

const lackFinding = (
  kind: string,
  what: readonly string[],
  text: string,
  host: string,
  probe: string,
): FindingDraft[] =>
  what.length === 0
    ? []
    : [
        finding({
          key: `${host}:${probe}`,
          kind,
          severity: 'notice',
          subject: { kind: 'host', id: host },
          summary: summary(host, `: ${count(what.length, 'parameter')} ${text}`),
          evidence: what.slice(0, 12).map((line) => ({ text: line, probe, host })),
        }),
      ];
