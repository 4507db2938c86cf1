import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { clockTime } from '../../../src/text/ages.ts';
import { finding, healOf, healReadAt, volumesOf } from './pool.ts';

/**
 * Volumes of which heal info does not end by its time: what waits there, and what is in split-brain, may have changed since. A volume
 * that answers with an error (healing is switched off, another command runs) is no such one: its detail shows the words.
 */
export const healUnreadFindings = (judgement: Judgement): FindingDraft[] =>
  (volumesOf(judgement)?.volumes ?? [])
    .filter(({ status }) => status === 'Started')
    .flatMap(({ name }) => {
      const heal = healOf(judgement).get(name);
      if (heal?.late !== true) return [];
      const last =
        heal.bricks.length === 0 ? 'never read' : `last read ${clockTime(healReadAt(heal), judgement.now)}`;
      return [
        finding({
          kind: 'heal-unread',
          key: name,
          severity: 'warning',
          subject: { kind: 'volume', id: name },
          summary: `${name}: heal info gives no answer in 20 s (${last}): pending heals, split-brain not known`,
          advice: `heal info walks through everything that waits on all bricks: it takes long where much waits, and where a brick or its disk hangs. Look at the bricks; then without a deadline: gluster volume heal ${name} info summary.`,
          evidence: [
            { text: `heal ${name} info: no answer within 20 s`, probe: 'gluster.heal', at: heal.at },
          ],
        }),
      ];
    });
