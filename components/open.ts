import type { RequestName, Requests } from '../src/model/wire.ts';
import { errorText, patch, type Context } from './context.ts';
import { findingDetail } from './findings.ts';
import { placeOf, type Pager, type PagerContent } from './ui.ts';
import { detailTarget, type Focused } from './state.ts';

/** How many raw answers are fetched at once: a row rarely has more behind it. */
const MOST_ANSWERS = 8;

const pager = (title: string, content: PagerContent): Pager => ({
  kind: 'pager',
  title,
  content,
  top: 0,
  search: '',
  typing: false,
});

/** Opens a pager that fills when the answer comes. */
const openAsked = <N extends RequestName>(
  context: Context,
  title: string,
  name: N,
  args: Requests[N]['in'],
  content: (answer: Requests[N]['out']) => PagerContent,
): void => {
  const opened = pager(title, { type: 'waiting', text: 'asking the collector ...' });
  context.push(opened);
  context.ports.mirror.request(name, args).then(
    (answer) => patch(context, opened, { content: content(answer) }),
    (error: unknown) =>
      patch(context, opened, { content: { type: 'lines', lines: [`no answer: ${errorText(error)}`] } }),
  );
};

/** The raw answers behind a row; for a row that names none, those behind its pane. */
export const openEvidence = (context: Context, at: Focused): void => {
  const row = at.item?.type === 'row' ? at.item.row : undefined;
  const own = row?.sources ?? [];
  const all = own.length > 0 ? own : at.head.sources.map(({ probe, host }) => ({ probe, host }));
  if (all.length === 0) {
    context.toast('there is no raw answer behind this row');
    return;
  }
  const more = all.length > MOST_ANSWERS ? `, first ${MOST_ANSWERS} of ${all.length}` : '';
  const name = row?.subject?.id ?? row?.key ?? at.head.title;
  openAsked(
    context,
    `Evidence for ${name}${more}`,
    'evidence',
    { sources: all.slice(0, MOST_ANSWERS) },
    (answers) =>
      answers.length === 0
        ? { type: 'lines', lines: ['no raw answer is kept yet'] }
        : { type: 'evidence', answers },
  );
};

export const openAudit = (context: Context): void => {
  if (context.ports.readOnly) context.toast('read-only: "faultline audit" shows the audit log', 'warning');
  else openAsked(context, 'Audit log', 'audit', {}, (audit) => ({ type: 'audit', audit }));
};

export const openHost = (context: Context, host: string): void =>
  openAsked(context, `Host ${host}`, 'host', { host }, (blocks) => ({ type: 'blocks', blocks }));

export const openHelp = (context: Context): void =>
  context.push(pager('Keys', { type: 'help', place: placeOf(context.state().ui) }));

export const openLog = (context: Context): void =>
  context.push(pager('Log of this console', { type: 'lines', lines: context.ports.log().toReversed() }));

/** The whole detail of the row on a page of its own. */
export const openDetail = (context: Context, at: Focused): void => {
  const state = context.state();
  const target = detailTarget(state, at);
  if (!target) {
    context.toast('this row has no further detail');
    return;
  }
  const { finding, system, subject } = target;
  const own = finding ? findingDetail(finding, state.data.findings ?? [], state.now) : [];
  openAsked(
    context,
    finding?.summary ?? `${subject.kind} ${subject.id}`,
    'detail',
    { system, subject },
    (blocks) => ({
      type: 'blocks',
      blocks: [...own, ...blocks],
    }),
  );
};
