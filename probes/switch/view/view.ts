import type { Sign } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { PaneView } from '../../../src/model/view.ts';
import { count } from '../../../src/text/units.ts';
import { sourcesOf } from '../ask/sources.ts';
import { isDoubtful, isEarly, linkStates } from '../judge/states.ts';
import { linksTable } from './links.ts';
import { matrixGrid } from '../matrix/view.ts';

/** The pane: links with errors first, then the matrix. What was not read twice yet is not called fine. */
export const view = (judgement: Judgement): PaneView => {
  const states = linkStates(judgement);
  const counters = sourcesOf(judgement.readings, 'counters');
  const known = counters.filter((source) => source.good);
  const bad = states.filter((one) => one.severity !== undefined).length;
  const failing = counters.find((source) => source.failure)?.failure?.message;
  const empty =
    known.length === 0
      ? `not known: ${failing ?? 'not read yet'}`
      : 'no link is known: LLDP names no neighbour and the site file lists no links';
  const grid = matrixGrid(judgement);
  const total = count(states.length, 'link');
  const doubtful = states.filter((one) => one.severity === undefined && isDoubtful(one)).length;
  const early = states.filter(isEarly).length;
  const judged = [
    total,
    bad === 0 ? 'none bad' : `${bad} bad`,
    ...(doubtful === 0 ? [] : [`${doubtful} not known`]),
    ...(early === 0 ? [] : [`${early} not judged yet`]),
  ];
  return {
    summary: known.length === 0 ? 'links not known' : judged.join(', '),
    sign: signOf(judgement),
    wall: known.length === 0 ? 'not known' : `${states.length - bad - doubtful - early}/${total}`,
    blocks: [linksTable(judgement, empty), ...(grid ? [grid] : [])],
  };
};

const signOf = (judgement: Judgement): Sign => {
  const states = linkStates(judgement);
  const counters = sourcesOf(judgement.readings, 'counters').filter((source) => source.state !== 'notAsked');
  if (states.some((one) => one.severity === 'critical')) return 'critical';
  if (states.some((one) => one.severity === 'warning')) return 'warning';
  if (counters.every((source) => !source.good)) return 'unknown';
  if (counters.some((source) => source.good && source.state !== 'fresh')) return 'stale';
  if (states.some((one) => isDoubtful(one) || isEarly(one))) return 'unknown';
  // One sample each is no judgement.
  return counters.some((source) => source.good && source.before.length > 0) ? 'fine' : 'unknown';
};
