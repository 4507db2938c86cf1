import type { System } from '../../src/model/system.ts';
import { probeOf } from './ask/probe.ts';
import { checksOf } from './definitions.ts';
import { findings } from './judge/findings.ts';
import { facts, track } from './judge/track.ts';
import { problems } from './problems.ts';
import { settingsSchema } from './settings.ts';
import { detail } from './view/detail.ts';
import { view } from './view/pane.ts';

/** The site's own checks: commands that the site file brings, read as Nagios plug-ins, JSON lines or by an expression. */
export const checks: System = {
  id: 'checks',
  title: 'Checks',
  // Where checks run that look at the site from outside: the machine of the console, or one beside it.
  roles: ['here'],
  settings: settingsSchema,
  problems,
  commandsIn: 'checks.d',
  onSite: (site) => {
    const all = [...checksOf(site).values()];
    return {
      ...checks,
      probes: all.map(probeOf),
      factProbes: { 'array.part': all.flatMap(({ tells, probe }) => (tells.length > 0 ? [probe] : [])) },
      needs: all.some(({ places }) => places.now) ? ['group'] : [],
    };
  },
  probes: [],
  publishes: ['depends', 'array.part'],
  needs: [],
  // What a check is, its kinds and where its state comes from stands in the chapter; here what is to be known before acting.
  help: [
    'A check is fine by its own word only: what can not be read, or was not understood, is UNKNOWN.',
    'Its actions come from the site file: what they send is shown, what proves them is a check.',
  ],
  facts,
  findings,
  track,
  view,
  detail,
};
