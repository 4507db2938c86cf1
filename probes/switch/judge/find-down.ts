import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import { findHurt } from './hurt-by.ts';
import type { FindingDraft, Suspect } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { portIn, samplesOf, sourceOf, sourcesOf } from '../ask/sources.ts';
import { farSubject, type LinkEnd } from '../links/link.ts';
import { hasGoneDownToday } from '../links/links.ts';
import { isDown } from '../read/link-words.ts';
import { findWeakLane, judgeLight, power, weakLaneText, weakLaneValues } from '../verdict/light.ts';
import { differencesOf } from '../verdict/settings.ts';
import { suspect } from '../verdict/suspects.ts';
import { goingsOf } from './link-ups.ts';
import { isFlapping } from './find-flapping.ts';
import { findShutter } from './shut-by-us.ts';
import { settingsKnownAt } from './settings-at.ts';
import { linkStates, type EndState, type LinkState } from './states.ts';
import { backSeries } from './track.ts';

const finding = findingsOf('switch');

/** A host that is off, boots or is out of service takes its link along: that is no fault of the link. */
const isAway = ({ host }: LinkEnd, { facts, readings, site }: Judgement): boolean => {
  if (host === undefined) return true;
  const node = { kind: 'node', id: host } as const;
  if (facts.find('node.rebooting', node) ?? facts.find('node.drained', node) ?? facts.find('node.off', node))
    return true;
  if (site.host(host)?.roles.includes('switch')) return false;
  return sourceOf(readings, 'counters', host)?.state !== 'fresh';
};

/** Not in the newest sample alone, where there is one before it: a boot and a new plug take a link down for seconds. */
const isDownTwice = ({ end: { host, port } }: EndState, { readings }: Judgement): boolean => {
  const source = host === undefined ? undefined : sourceOf(readings, 'counters', host);
  const before = source && samplesOf(source)[1];
  const found = before && port !== undefined ? portIn(before, port) : undefined;
  return found === undefined || isDown(found);
};

/** The far end is up and its host came back after this end was read: what was read then is from before that. */
const isOlderThanReturn = (down: EndState, far: EndState, judgement: Judgement): boolean => {
  if (far.port?.state !== 'up' || far.end.host === undefined || down.at === undefined) return false;
  const back = judgement.history.changes(backSeries(far.end.host), 0).at(-1);
  return back !== undefined && down.at <= Number(back.value);
};

/** The LAG that it is a member of tells it, with all of its members that are out. */
const isMember = (host: string | undefined, port: string | undefined, { readings }: Judgement): boolean =>
  sourcesOf(readings, 'lags').some(
    (one) => one.host === host && one.good?.value.members.some(({ member }) => member === port),
  );

interface Darkness {
  text: string;
  suspect: Suspect;
  rests: EndState;
}

/** One lane of several is dark: the whole link is down for it. */
const darkLane = (to: EndState, from: EndState): Darkness[] => {
  const found = findWeakLane(from, to);
  if (!found) return [];
  const { end, side, weak } = found;
  const text = `${end.name} ${weakLaneText(weak, side)}`;
  return [{ text, suspect: suspect(end.end.id, 'lane', weakLaneValues(weak, side)), rests: end }];
};

/** What the modules say of a link without light: a lane alone, the sender's laser, else what lies between. */
const darknessOf = (to: EndState, from: EndState): Darkness[] => {
  const lane = darkLane(to, from);
  if (lane.length > 0) return lane;
  if (judgeLight(from.lanes, 'tx') === 'low')
    return [
      {
        text: `${from.name} sends ${power(from.lanes, 'tx')}: too little light`,
        suspect: suspect(from.end.id, 'transmitter'),
        rests: from,
      },
    ];
  return judgeLight(to.lanes, 'rx') === 'low'
    ? [
        {
          text: `${to.name} receives ${power(to.lanes, 'rx')}: too little light`,
          suspect: suspect(to.end.id, 'light-lost'),
          rests: to,
        },
      ]
    : [];
};

const findingOf = (down: EndState, far: EndState, judgement: Judgement): FindingDraft => {
  const subject = { kind: 'port', id: down.end.id } as const;
  // The speed that a port without light prints is none that anybody set.
  const differ = differencesOf(settingsKnownAt(down, judgement), settingsKnownAt(far, judgement)).filter(
    ({ cause }) => cause === 'fec',
  );
  const dark = [...darknessOf(down, far), ...darknessOf(far, down)];
  const suspects: readonly Suspect[] = [
    suspect(down.end.id, 'down'),
    ...dark.map((one) => one.suspect),
    ...differ.map(({ cause, here, there }) =>
      suspect(down.end.id, cause, { here: here.value, there: there.value }),
    ),
  ];
  const wordOf = ({ name, port }: EndState): string =>
    port
      ? `${name} reads ${[port.link, port.admin].filter(Boolean).join(', ') || 'nothing'}`
      : `${name} was not read`;
  const sourceAt = ({ end: { host } }: EndState, kind: 'counters' | 'optics') =>
    host === undefined ? undefined : sourceOf(judgement.readings, kind, host);
  const evidence = [
    ...[down, far].map((one) => evidenceFrom(sourceAt(one, 'counters'), wordOf(one))),
    ...dark.map(({ text, rests }) => evidenceFrom(sourceAt(rests, 'optics'), text)),
  ];
  const why = differ.map(({ here, there }) => `: ${here.text} here, ${there.text} there`)[0] ?? '';
  return finding({
    kind: 'link-down',
    key: down.end.id,
    severity: 'warning',
    subject,
    ...farSubject(far.end),
    summary: `${down.name} to ${far.name} down${wordOfDown(down)}${why}`,
    advice: 'Check plug, optic and light of both ends, and that speed and FEC are set alike.',
    suspects,
    evidence,
    ...findHurt([down, far], judgement.site),
    breaks: [{ what: 'reach', of: [subject] }],
  });
};

/** In the device's word, unless that says no more than that it is down. */
const wordOfDown = ({ port }: EndState): string => {
  const word = port?.state === 'dark' && port.admin !== undefined ? 'switched on, no signal' : port?.link;
  return word === undefined || /^(?:down|D|notconnect)$/i.test(word) ? '' : ` (${word})`;
};

/** Links that the site file names, or that were seen up within the last day, and that are down without anybody having shut them. */
export const downFindings = (judgement: Judgement): readonly FindingDraft[] =>
  linkStates(judgement).flatMap((state: LinkState): FindingDraft[] => {
    const { a, b, link } = state;
    const down = [a, b].filter(({ port }) => port !== undefined && isDown(port));
    const [first] = down;
    if (!first || down.some(({ port }) => port?.state === 'shut')) return [];
    const far = first === a ? b : a;
    // Its own finding says why.
    if ([a, b].some(({ port }) => port?.takenDown !== undefined)) return [];
    if (isAway(first.end, judgement) || isAway(far.end, judgement)) return [];
    if ([a, b].some(({ end }) => isMember(end.host, end.port, judgement))) return [];
    if ([a, b].some(({ end }) => findShutter(end.id, judgement) !== undefined)) return [];
    if (!down.some((one) => isDownTwice(one, judgement))) return [];
    if (isOlderThanReturn(first, far, judgement)) return [];
    if (isFlapping(goingsOf(first.end.id, judgement, far.end.id), link, judgement)) return [];
    const known = link.by === 'site file' || down.some(({ end }) => hasGoneDownToday(end.id, judgement));
    return known ? [findingOf(first, far, judgement)] : [];
  });
