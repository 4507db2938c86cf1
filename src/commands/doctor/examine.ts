import type { Transport } from '../../model/answer.ts';
import type { Clock } from '../../model/ports.ts';
import type { HostView, SiteView } from '../../model/site.ts';
import { decode } from '../../text/bytes.ts';
import { loginCheck, rightsCheck, checkFirstLine, toolsCheck } from './answered.ts';
import { folderChecks } from './folder-check.ts';
import type { Check } from './report.ts';
import { clockCheck } from './clock.ts';
import { examineDevice } from './examine-device.ts';
import { sshLine } from './mend.ts';
import type { Needs } from './needs.ts';
import { connectionChecks, DEADLINE_MS, hostKeyKnown, reached, shellChecks } from './reach.ts';
import { doctorScript, readSections } from './script.ts';

export interface Examiner {
  site: SiteView;
  clock: Clock;
}

/** Everything doctor has to say about one host itself; what it is asked besides is in `readingsChecks`. Never throws for what is wrong there. */
export const examine = async (
  host: HostView,
  needs: Needs,
  transport: Transport,
  { site, clock }: Examiner,
): Promise<Check[]> => {
  if (needs.device) return examineDevice(host, needs.device, transport, site);
  // A switch with a shell of its own kind: it is asked what its readings ask, and no tool is looked for.
  if (host.platform !== 'linux' && host.platform !== 'cumulus') {
    if (needs.probes.length > 0) return examineShell(host, transport, site);
    return [
      {
        name: 'reach',
        state: 'skipped',
        text: `platform ${host.platform}: not asked, no probe of its roles asks it anything`,
      },
    ];
  }
  // The first run pays for the connection, so that the second one is timed without it.
  const first = await transport.run({ script: 'true', deadlineMs: DEADLINE_MS });
  const failed = connectionChecks(first, host.name, site);
  if (failed) return failed;
  const before = clock.now();
  const raw = await transport.run({ script: doctorScript(needs), deadlineMs: DEADLINE_MS });
  const between = { before, after: clock.now() };
  const lost = connectionChecks(raw, host.name, site);
  if (lost) return lost;
  const sections = readSections(decode(raw.stdout));
  return [
    reached,
    ...(transport.kind === 'local' ? [] : [hostKeyKnown]),
    loginCheck(sections.get('user')),
    ...shellChecks(transport, host.name, site),
    checkFirstLine('kernel', sections.get('kernel'), host.name),
    toolsCheck(needs, sections, host.name, site),
    ...needs.versions.map((argv, at) =>
      checkFirstLine('version', sections.get(`version${at}`), host.name, argv.join(' ')),
    ),
    rightsCheck(needs, sections, host.name, site),
    clockCheck(sections.get('clock'), between, sshLine(site, host.name, 'chronyc tracking || timedatectl')),
    ...folderChecks(needs, sections, host.name, site),
  ];
};

const examineShell = async (host: HostView, transport: Transport, site: SiteView): Promise<Check[]> => {
  const raw = await transport.run({ script: 'true', deadlineMs: DEADLINE_MS });
  return (
    connectionChecks(raw, host.name, site) ?? [
      reached,
      ...(transport.kind === 'local' ? [] : [hostKeyKnown]),
      ...shellChecks(transport, host.name, site),
    ]
  );
};
