import type { AskContext, Probe } from '../../../src/model/system.ts';
import type { SiteView } from '../../../src/model/site.ts';
import { shellCommand } from '../../../src/text/shell.ts';
import { readLnet, readWays } from '../read/read-lnet.ts';
import { importState } from '../read/words.ts';
import type { ClientReading, MdsReading } from '../readings.ts';
import { type LnetReading, lnetSchema, type WaysReading, waysSchema } from '../readings-lnet.ts';
import { shortTarget } from '../judge/names.ts';
import { argvAsRoot, paramsScript } from './asking.ts';

/** `-v 3` prints the health as well; releases before 2.12 take no number behind `-v` and leave it aside. */
const lnetScript = (site: SiteView): string =>
  [
    shellCommand(argvAsRoot(site, ['lctl', 'list_nids'])),
    `printf '\\n@@faultline net\\n'`,
    shellCommand(argvAsRoot(site, ['lnetctl', 'net', 'show', '-v', '3'])),
    `printf '\\n@@faultline end %s\\n' "$?"`,
  ].join('\n');

/** The ways of a server into LNet: one that is dead is seen by nobody who goes by another. */
const lnetProbe = (id: string, role: string): Probe<LnetReading> => ({
  id,
  role,
  everyMs: 60_000,
  touches: 'nothing',
  // Drops are counted, so two looks are compared.
  keep: 1,
  ask: (_host, { site }) => ({ script: lnetScript(site), maxBytes: 500_000 }),
  read: readLnet,
  schema: lnetSchema,
});

type Readings = AskContext['readings'];

/** What fails is asked for by name, so many at a time: one lost server holds them all. */
const most = 32;

const isAway = ({ state, active }: { state?: string | undefined; active?: boolean | undefined }): boolean =>
  state !== undefined && active !== false && importState(state) === 'away';

const lostByMds = (host: string, readings: Readings): string[] => {
  const { osps = [], mdtImports = [] } = readings.source<MdsReading>('lustre.mds', host)?.good?.value ?? {};
  return [
    ...mdtImports.flatMap((one) =>
      isAway(one) && one.from !== undefined ? [`osp.${one.name}-osp-${shortTarget(one.from)}`] : [],
    ),
    ...osps.flatMap((one) => (isAway(one) ? [`osp.${one.ost}-osc-${shortTarget(one.mdt)}`] : [])),
  ];
};

const lostByClient = (host: string, readings: Readings): string[] => {
  const { osts = [], mdts = [] } = readings.source<ClientReading>('lustre.client', host)?.good?.value ?? {};
  return [
    ...mdts.flatMap((one) => (isAway(one) ? [`mdc.${one.name}-mdc-*`] : [])),
    ...osts.flatMap((one) => (isAway(one) ? [`osc.${one.name}-osc-*`] : [])),
  ];
};

/** Where a host looks for the targets that it has lost: asked only while it has. */
const waysProbe = (
  id: string,
  role: string,
  lostBy: (host: string, readings: Readings) => readonly string[],
): Probe<WaysReading> => ({
  id,
  role,
  everyMs: 60_000,
  touches: 'nothing',
  when: ({ name }, { readings }) => lostBy(name, readings).length > 0,
  ask: ({ name }, { site, readings }) => ({
    script: paramsScript(
      site,
      lostBy(name, readings)
        .slice(0, most)
        .map((one) => `${one}.import`),
    ),
    maxBytes: 1_000_000,
  }),
  read: readWays,
  schema: waysSchema,
});

export const lnetProbes: readonly Probe[] = [
  lnetProbe('lustre.mds-lnet', 'lustre-mds'),
  lnetProbe('lustre.oss-lnet', 'lustre-oss'),
  waysProbe('lustre.mds-ways', 'lustre-mds', lostByMds),
  waysProbe('lustre.client-ways', 'lustre-client', lostByClient),
];
