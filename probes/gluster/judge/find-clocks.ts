import type { EvidenceDraft, FindingDraft } from '../../../src/model/finding.ts';
import { evidenceFrom } from '../../../src/kit/findings.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { finding, peersOf } from './pool.ts';

/** Above this the order of log lines of two peers misleads, ms. */
const skewMs = 5_000;

interface Clock {
  host: string;
  /** Ahead of the clock that is believed, ms. */
  offMs: number;
}

const isOff = ({ offMs }: Clock): boolean => Math.abs(offMs) > skewMs;

/** `30 s ahead`. */
const offText = (offMs: number, ahead: string, behind: string): string =>
  `${Math.round(Math.abs(offMs) / 1000)} s ${offMs > 0 ? ahead : behind}`;

/**
 * Clocks that are off. Where no peer has our time and most of several agree on another, it is ours that is wrong: said once, and the
 * others are then measured by theirs.
 */
export const clockFindings = (judgement: Judgement): FindingDraft[] => {
  const clocks = peersOf(judgement).flatMap(({ host, reading }): Clock[] =>
    reading?.clockMs === undefined ? [] : [{ host, offMs: reading.clockMs }],
  );
  const middle = clocks.map(({ offMs }) => offMs).sort((a, b) => a - b)[Math.floor(clocks.length / 2)] ?? 0;
  const alike = clocks.filter(({ offMs }) => !isOff({ host: '', offMs: offMs - middle }));
  const isOurs = alike.length > 1 && alike.length * 2 > clocks.length && clocks.every(isOff);
  const off = clocks.map(({ host, offMs }) => ({ host, offMs: offMs - (isOurs ? middle : 0) })).filter(isOff);
  const evidence = ({ host }: Clock, text: string): EvidenceDraft => ({
    probe: 'gluster.peer',
    host,
    ...evidenceFrom(judgement.readings.source('gluster.peer', host), text),
  });
  return [
    ...(isOurs
      ? [
          finding({
            kind: 'clock',
            key: 'here',
            severity: 'notice',
            subject: { kind: 'site', id: judgement.site.name },
            summary: `the clock of this machine is ${offText(-middle, 'ahead of', 'behind')} ${alike.length === clocks.length ? `all ${clocks.length}` : `${alike.length} of ${clocks.length}`} peers': times of their logs are corrected`,
            advice: 'Mend the NTP of the machine that Faultline runs on: the peers agree with each other.',
            evidence: clocks.map((one) =>
              evidence(one, `${one.host}: ${offText(one.offMs, 'ahead', 'behind')}`),
            ),
          }),
        ]
      : []),
    ...off.map((one) => {
      const summary = `the clock of ${one.host} is ${offText(one.offMs, 'ahead', 'behind')}: times of its log are corrected`;
      return finding({
        kind: 'clock',
        key: one.host,
        severity: 'notice',
        subject: { kind: 'host', id: one.host },
        summary,
        advice: 'Mend NTP on that peer.',
        evidence: [evidence(one, summary)],
      });
    }),
  ];
};
