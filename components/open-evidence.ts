import type { EvidenceSource } from '../src/model/evidence.ts';
import { cut } from '../src/text/width.ts';
import { patch, toastError, type Context } from './context.ts';
import { evidencePage } from './dialogs/pager/evidence.ts';
import { evidenceSources } from './findings.ts';
import { newPager, showNoAnswer } from './open.ts';
import { findingOf, subjectsOf, type Focused } from './state.ts';
import type { EvidencePage, Pager } from './overlays.ts';

/** How many raw answers are fetched at once: a row rarely has more behind it. */
const MOST_ANSWERS = 8;
/** A set of a hundred nodes is named by its beginning: it stands in several lines of the page. */
const MOST_NAME = 40;

/** The sources behind a row with what they are asked about; for a row that names none, those behind its pane. */
const sourcesAt = (context: Context, at: Focused): readonly EvidenceSource[] => {
  const finding = findingOf(context.state().data, at);
  if (finding) return evidenceSources(finding);
  const row = at.item?.type === 'row' ? at.item.row : undefined;
  const about = row ? subjectsOf(row) : [];
  const own = row?.sources ?? [];
  if (own.length > 0) return own.map(({ probe, host }) => ({ probe, host, about }));
  return at.head.sources.map(({ probe, host }) => ({ probe, host, about }));
};

/** `e`: the raw answers behind a row, opened at the lines it rests on. */
export const openEvidence = (context: Context, at: Focused): void => {
  const all = sourcesAt(context, at);
  if (all.length === 0) {
    context.toast('there is no raw answer behind this row');
    return;
  }
  const row = at.item?.type === 'row' ? at.item.row : undefined;
  const more = all.length > MOST_ANSWERS ? `, first ${MOST_ANSWERS} of ${all.length}` : '';
  const sources = all.slice(0, MOST_ANSWERS);
  const name = cut(row?.subject?.id ?? '', MOST_NAME);
  const title = `Evidence for ${name === '' ? (row?.key ?? at.head.title) : name}${more}`;
  const opened = newPager(title, { type: 'waiting', text: 'asking the collector ...' });
  context.push(opened);
  fill(context, opened, { type: 'evidence', answers: [], sources, name, whole: false });
};

/** `d`: all lines and the earlier answers, or only what the row rests on. */
export const unfoldEvidence = (context: Context, opened: Pager, page: EvidencePage): void =>
  fill(context, opened, { ...page, whole: !page.whole });

/** The page may have been scrolled or searched meanwhile: it is known by the sources it was opened for. */
const pageNow = (context: Context, opened: Pager, { sources }: EvidencePage): Pager | undefined =>
  context
    .state()
    .ui.overlays.find(
      (overlay): overlay is Pager =>
        overlay === opened ||
        (overlay.kind === 'pager' &&
          overlay.content.type === 'evidence' &&
          overlay.content.sources === sources),
    );

const fill = (context: Context, opened: Pager, page: EvidencePage): void => {
  const { sources, whole } = page;
  context.ports.mirror.request('evidence', { sources, ...(whole && { whole }) }).then(
    (answers) => {
      const now = pageNow(context, opened, page);
      if (now === undefined) return;
      if (answers.length === 0)
        patch(context, now, { content: { type: 'lines', lines: ['no raw answer is kept yet'] } });
      else showAtMark(context, now, { ...page, answers });
    },
    (error: unknown) =>
      opened.content.type === 'waiting'
        ? showNoAnswer(context, opened, error)
        : toastError(context, 'the other lines could not be shown')(error),
  );
};

/** The first marked line stands in the upper third; with none the page begins at its top. */
const showAtMark = (context: Context, opened: Pager, content: EvidencePage): void => {
  const { size, now } = context.state();
  const [mark] = evidencePage(content, context.ports.theme, size.columns, now).marks;
  const { hit: _, ...rest } = opened;
  const top = mark === undefined ? 0 : Math.max(0, mark - Math.floor(size.rows / 3));
  context.replace(opened, { ...rest, content, top, ...(mark !== undefined && { hit: mark }) });
};
