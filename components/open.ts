import type { Block } from '../src/model/view.ts';
import type { RequestName, Requests } from '../src/model/wire.ts';
import { textOf } from '../src/model/words.ts';
import { clockTime, durationMs } from '../src/text/ages.ts';
import { errorText, patch, toastError, type Context } from './context.ts';
import { findingDetail } from './findings.ts';
import type { Pager, PagerContent } from './overlays.ts';
import { detailRequest, detailTarget, type Focused } from './state.ts';

export const newPager = (title: string, content: PagerContent): Pager => ({
  kind: 'pager',
  title,
  content,
  top: 0,
  search: '',
  typing: false,
});

export const showNoAnswer = (context: Context, pager: Pager, error: unknown): void =>
  void patch(context, pager, { content: { type: 'lines', lines: [`no answer: ${errorText(error)}`] } });

/** Opens a pager that fills when the answer comes. */
const openAsked = <N extends RequestName>(
  context: Context,
  title: string,
  name: N,
  args: Requests[N]['in'],
  content: (answer: Requests[N]['out']) => PagerContent,
): void => {
  const opened = newPager(title, { type: 'waiting', text: 'asking the collector ...' });
  context.push(opened);
  context.ports.mirror.request(name, args).then(
    (answer) => patch(context, opened, { content: content(answer) }),
    (error: unknown) => showNoAnswer(context, opened, error),
  );
};

export const openHost = (context: Context, host: string, above: readonly Block[] = []): void => {
  const opened: Pager = {
    ...newPager(`Host ${host}`, { type: 'waiting', text: 'asking the collector ...' }),
    host,
    above,
  };
  context.push(opened);
  fillHost(context, opened, host, false);
};

/** `K` on a host's page: its kernel is asked, then the page is shown anew. */
export const askKernel = (context: Context, opened: Pager): void => {
  if (opened.host === undefined) return;
  context.toast(`asking the kernel of ${opened.host} ...`);
  fillHost(context, opened, opened.host, true);
};

const fillHost = (context: Context, opened: Pager, host: string, kernel: boolean): void => {
  context.ports.mirror.request('host', { host, ...(kernel && { kernel }) }).then(
    (blocks) => {
      const now = context
        .state()
        .ui.overlays.find((overlay) => overlay.kind === 'pager' && overlay.host === host);
      if (now?.kind === 'pager')
        patch(context, now, { content: { type: 'blocks', blocks: [...(now.above ?? []), ...blocks] } });
      if (kernel) context.toast(`the kernel of ${host} was asked`);
    },
    (error: unknown) => showNoAnswer(context, opened, error),
  );
};

/** Everything that changed in the last hour, or in the time that is given (`3h`). */
export const openChanged = (context: Context, lasts = ''): void => {
  const ms = lasts === '' ? undefined : durationMs(lasts);
  if (lasts !== '' && ms === undefined) {
    context.toast(`"${lasts}" is not a time; write 30min, 3h or 1d`, 'warning');
    return;
  }
  const since = ms === undefined ? {} : { since: context.ports.clock.now() - ms };
  openAsked(context, 'What changed', 'changed', since, (blocks) => ({ type: 'blocks', blocks }));
};

/** Where a job or a user's jobs run. */
export const openLook = (context: Context, what: 'job' | 'user', word: string): void => {
  if (word === '') context.toast(`:${what} needs ${what === 'job' ? 'a number' : 'a name'}`, 'warning');
  else
    openAsked(context, `${what} ${word}`, 'look', { [what]: word }, (blocks) => ({ type: 'blocks', blocks }));
};

/** `w`: the pane is asked every 2 s for 10 minutes; once more ends it. */
export const watchPane = (context: Context, pane: string, title: string): void => {
  context.ports.mirror
    .request('watch', { pane })
    .then(
      ({ until }) =>
        context.toast(
          until === undefined
            ? `${title} is no longer watched`
            : `watching ${title} every 2 s until ${clockTime(until, context.ports.clock.now())}`,
        ),
      toastError(context, 'not watched'),
    );
};

export const openLog = (context: Context): void =>
  context.push(newPager('Log of this console', { type: 'lines', lines: context.ports.log().toReversed() }));

/** The whole detail of the row on a page of its own. */
export const openDetail = (context: Context, at: Focused): void => {
  const state = context.state();
  const target = detailTarget(state, at);
  if (!target) {
    context.toast('this row has no further detail');
    return;
  }
  const { finding, subject } = target;
  const own = finding ? findingDetail(finding, state.data.findings ?? [], state.now) : [];
  if ((subject.kind === 'host' || subject.kind === 'node') && context.ports.hosts().includes(subject.id)) {
    openHost(context, subject.id, own);
    return;
  }
  openAsked(
    context,
    textOf(finding?.summary) ?? `${subject.kind} ${subject.id}`,
    'detail',
    detailRequest(target),
    (blocks) => ({
      type: 'blocks',
      blocks: [...own, ...blocks],
    }),
  );
};
