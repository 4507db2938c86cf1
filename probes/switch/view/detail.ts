import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Block, Cell, TableBlock, TextBlock } from '../../../src/model/view.ts';
import { age } from '../../../src/text/ages.ts';
import { lagOf } from '../links/lags.ts';
import { packetsText } from '../judge/findings.ts';
import { cellsOf } from '../matrix/matrix.ts';
import { doubtOf, quietMs, stateAt, type EndState, type LinkState } from '../judge/states.ts';
import { groundText, type Cause } from '../verdict/case.ts';
import { signs } from '../matrix/view.ts';
import { cableBlock } from './cable.ts';
import { endsTable, lanesTable, loadText } from './detail-ends.ts';
import { errorsChart, historyBlock } from './detail-past.ts';

/** A port with its link: the verdict and why, both ends side by side, light, errors of the last hour, what was repaired. */
export const detail = (subject: Subject, judgement: Judgement): readonly Block[] => {
  if (subject.kind === 'lag') return [lagTable(subject.id, judgement)];
  if (subject.kind === 'host' || subject.kind === 'site') return [pathsTable(subject, judgement)];
  const state = stateAt(judgement, subject.id);
  if (!state) return [];
  return [
    verdictBlock(state),
    cableBlock(state),
    endsTable(state, judgement),
    ...lanesTable(state),
    errorsChart(state, judgement),
    historyBlock(state, judgement),
  ];
};

const causeCell = ({ text, evidence }: Cause, index: number): Cell => ({
  text: `${index + 1}. ${text}${evidence.length === 0 ? '' : `: ${evidence.map(groundText).join('; ')}`}`,
});

/** What is odd about the counters themselves: whole sentences, for no column holds them. */
const remarksOf = (ends: readonly EndState[]): readonly Cell[] =>
  ends.flatMap(({ name, rates: [now] }) =>
    (now?.remarks ?? []).map((text) => ({ text: `${name}: ${text}` })),
  );

const notJudged: Readonly<Record<NonNullable<EndState['silent']>, (name: string) => string>> = {
  'just came up': (name) =>
    `${name} came up less than ${age(quietMs)} ago: bad frames while a link settles are shown, not judged`,
  'node reboots': (name) => `its node is being rebooted: bad frames at ${name} are shown, not judged`,
};

const verdictBlock = ({ worst, other }: LinkState): TextBlock => {
  const { verdict } = worst;
  if (!verdict) {
    const doubts = [worst, other].flatMap((end) => {
      const doubt = doubtOf(end);
      return doubt === undefined ? [] : [{ text: `not known what ${end.name} receives: ${doubt}` }];
    });
    const text = worst.silent
      ? notJudged[worst.silent](worst.name)
      : worst.rates.length === 0
        ? 'no verdict from a single sample'
        : 'no bad frames in the last interval';
    return {
      type: 'text',
      id: 'verdict',
      title: 'Verdict',
      lines: [...(doubts.length > 0 ? doubts : [{ text }]), ...remarksOf([worst, other])],
    };
  }
  const { first, next, confidence, causes, caveats } = verdict;
  return {
    type: 'text',
    id: 'verdict',
    title: `Verdict, confidence ${confidence}`,
    lines: [
      { text: `Suspect ${first.at.name}: ${first.steps.join(', ')}` },
      ...(next ? [{ text: `Next ${next.at.name}: ${next.steps.join(', ')}` }] : []),
      ...causes.slice(0, 5).map(causeCell),
      ...caveats.map((text) => ({ text: `but ${text}` })),
      ...remarksOf([worst, other]),
    ],
  };
};

const lagTable = (id: string, judgement: Judgement): TableBlock => {
  const [host = '', name = ''] = id.split(':');
  const members = judgement.readings
    .sources<{ members: { lag: string; member: string; state?: string }[] }>('switch.lags')
    .find((one) => one.host === host)?.good?.value.members;
  return {
    type: 'table',
    id: 'members',
    title: `Members of ${name} on ${host}`,
    columns: [
      { id: 'port', title: 'PORT', min: 10, grow: 1 },
      { id: 'state', title: 'STATE', min: 10 },
      { id: 'load', title: 'LOAD', align: 'right', min: 6 },
    ],
    rows: (members ?? [])
      .filter((one) => one.lag === name)
      .map((one) => ({
        key: one.member,
        subject: { kind: 'port', id: `${host}:${one.member}` },
        cells: {
          port: { text: one.member },
          state: { text: one.state ?? '' },
          load: { text: loadText(judgement, host, one.member) },
        },
      })),
    empty: lagOf(judgement, host, name) ? 'no members' : 'not read yet',
  };
};

const pathsTable = ({ kind, id }: Subject, judgement: Judgement): TableBlock => ({
  type: 'table',
  id: 'paths',
  title: 'Paths, by the last run',
  columns: [
    { id: 'path', title: 'PATH', min: 20, grow: 1 },
    { id: 'small', title: 'SMALL', align: 'right', min: 9 },
    { id: 'jumbo', title: 'JUMBO', align: 'right', min: 9 },
    { id: 'age', title: 'AGE', align: 'right', min: 7 },
  ],
  rows: cellsOf(judgement)
    .filter(({ client }) => kind === 'site' || client === id)
    .map((cell) => ({
      key: `${cell.client} ${cell.server}`,
      sign: signs[cell.kind],
      cells: {
        path: { text: `${cell.client} to ${cell.server}` },
        small: { text: packetsText(cell.small) },
        jumbo: { text: packetsText(cell.jumbo) },
        age: { text: '', age: cell.at },
      },
    })),
  empty: 'not run yet',
});
