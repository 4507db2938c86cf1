import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { isSwitchedOn } from '../read/words.ts';
import { finding, volumesOf } from './pool.ts';

const readOnly = 'features.read-only';

/** Volumes that take no writes because somebody set them so: bricks run, nothing else shows it, and users see an error (EROFS). */
export const optionFindings = (judgement: Judgement): FindingDraft[] =>
  (volumesOf(judgement)?.volumes ?? [])
    .filter(({ status, options }) => status === 'Started' && isSwitchedOn(options[readOnly]))
    .map(({ name, options }) =>
      finding({
        kind: 'volume-read-only',
        key: name,
        severity: 'notice',
        subject: { kind: 'volume', id: name },
        summary: `${name}: read-only by its option ${readOnly}: writes are refused (EROFS)`,
        advice: `Looks deliberate (a migration, a copy that is kept); clear it after the work: gluster volume set ${name} ${readOnly} off.`,
        evidence: [
          { text: `volume info ${name}: ${readOnly}: ${options[readOnly]}`, probe: 'gluster.volumes' },
        ],
        deliberate: true,
      }),
    );
