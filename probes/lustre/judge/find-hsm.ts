import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { evidenceFrom } from '../../../src/kit/findings.ts';
import { count } from '../../../src/text/units.ts';
import { type Coordinator, type HsmReading, isHandingOut } from '../readings-hsm.ts';
import { finding, mdtSubject, summary } from './names.ts';

/**
 * Requests of HSM that nobody works on: the coordinator does not hand them out, or no copytool is there to take them. Whoever opened a
 * released file hangs until its restore is done. Without requests a coordinator that stands still is one of a site without HSM.
 */
export const hsmFindings = ({ readings }: Judgement): FindingDraft[] =>
  readings.sources<HsmReading>('lustre.mds-hsm').flatMap((source) => {
    const { state, good, host } = source;
    if (state !== 'fresh' || !good) return [];
    const { mdts, cut } = good.value;
    return mdts.flatMap((mdt) => {
      const why = whyStill(mdt);
      if (why === undefined || mdt.waiting === 0) return [];
      const waiting = `${cut ? 'over ' : ''}${count(mdt.waiting, 'request')}`;
      return [
        finding({
          key: mdt.name,
          kind: 'hsm',
          severity: 'warning',
          subject: mdtSubject(mdt.name),
          summary: summary(
            `HSM of ${mdt.name} on ${host}`,
            `: ${why}, ${waiting} wait${mdt.restores > 0 ? ` (${count(mdt.restores, 'restore')})` : ''}`,
          ),
          advice:
            mdt.control !== undefined && !isHandingOut(mdt.control)
              ? `Whoever opened a file that is to be restored hangs. After a restart of the MDS the coordinator stands still unless it is set for good: lctl set_param mdt.${mdt.name}.hsm_control=enabled (with -P on the MGS it lasts); then start the copytools on their hosts.`
              : 'Whoever opened a file that is to be restored hangs. Start the copytools on their hosts (lhsmtool_posix or the site’s own), with the archive that the requests name.',
          evidence: [
            evidenceFrom(
              source,
              `mdt.${mdt.name}: hsm_control ${mdt.control ?? '?'}, ${mdt.agents === undefined ? 'copytools not known' : count(mdt.agents, 'copytool')}, ${waiting} wait, ${mdt.started} under way`,
            ),
          ],
        }),
      ];
    });
  });

const whyStill = ({ control, agents, started }: Coordinator): string | undefined => {
  if (control !== undefined && !isHandingOut(control)) return `its coordinator is ${control}`;
  return agents === 0 && started === 0 ? 'no copytool is registered' : undefined;
};
