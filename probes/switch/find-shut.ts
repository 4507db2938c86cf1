import type { Finding } from '../../src/model/finding.ts';
import type { Judgement } from '../../src/model/system.ts';
import { age } from '../../src/text/ages.ts';
import { readsDown, shutByUs } from './shut-by-us.ts';
import { short } from './words.ts';

/** Shut by a console, kept, never saved: until somebody puts it back or saves it, a restart of the switch brings it back. */
export const shutFindings = (judgement: Judgement): Finding[] =>
  shutByUs(judgement).flatMap(({ port, by, at }): Finding[] => {
    const evidence = readsDown(port, judgement);
    if (!evidence) return [];
    return [
      {
        id: `switch:shut-by-us:${port}`,
        system: 'switch',
        kind: 'shut-by-us',
        severity: 'notice',
        subject: { kind: 'port', id: port },
        summary: short(
          `${port.replace(':', ' ')} was shut from a console by ${by} ${age(judgement.now - at)} ago and is not saved`,
        ),
        advice:
          'Restore it when the link is repaired. The startup configuration was not changed: a restart brings it up.',
        evidence: [evidence],
        hurt: {},
        remedies: [{ action: 'switch.restore', subjects: [{ kind: 'port', id: port }] }],
        since: at,
      },
    ];
  });
