import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { clockTime } from '../../../src/text/ages.ts';
import { cut } from '../../../src/text/width.ts';
import type { HealReading } from '../readings.ts';
import { finding, healOf, healReadAt, volumesOf } from './pool.ts';

type Heal = HealReading['volumes'][number];

/** A command that runs refuses others for its time: so many answers in a row that are an error are no such time. */
const lastingErrors = 2;

/** What of heal info does not come, and how bad that is; undefined: it was read, or refused only now. */
const failureOf = (
  heal: Heal | undefined,
): (Pick<FindingDraft, 'severity' | 'advice'> & { text: string }) | undefined => {
  const { name, error, late, failedInRow = 0 } = heal ?? {};
  if (error === undefined) return undefined;
  if (late === true)
    return {
      severity: 'warning',
      text: 'heal info gives no answer in 20 s',
      advice: `heal info walks through everything that waits on all bricks: it takes long where much waits, and where a brick or its disk hangs. Look at the bricks; then without a deadline: gluster volume heal ${name} info summary.`,
    };
  return failedInRow < lastingErrors
    ? undefined
    : {
        severity: 'notice',
        text: `heal info fails: ${cut(error, 30)}`,
        advice: `By hand, on a peer of the volume: gluster volume heal ${name} info summary. It is a client of the volume: its log is glfsheal-${name}.log there.`,
      };
};

/** Volumes whose heal info does not come: what waits there, and what is in split-brain, may have changed since it was read. */
export const healUnreadFindings = (judgement: Judgement): FindingDraft[] =>
  (volumesOf(judgement)?.volumes ?? [])
    .filter(({ status }) => status === 'Started')
    .flatMap(({ name }) => {
      const heal = healOf(judgement).get(name);
      const failure = failureOf(heal);
      if (!heal || !failure) return [];
      const { severity, advice, text } = failure;
      const last =
        heal.bricks.length === 0 ? 'never read' : `last read ${clockTime(healReadAt(heal), judgement.now)}`;
      return [
        finding({
          kind: 'heal-unread',
          key: name,
          severity,
          subject: { kind: 'volume', id: name },
          summary: `${name}: ${text} (${last}): pending heals, split-brain not known`,
          advice,
          evidence: [
            {
              text: `heal ${name} info: ${heal.late === true ? 'no answer within 20 s' : (heal.error ?? '')}`,
              probe: 'gluster.heal',
              at: heal.at,
            },
          ],
        }),
      ];
    });
