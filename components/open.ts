import type { RankedFinding } from '../src/model/finding.ts';
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

/** A page of what is true now is filled again this often, ms. */
const AGAIN_MS = 5000;

type Fill = NonNullable<Pager['filled']>['by'];

/** Opens a page that fills when the answer comes, and is filled again while it is looked at. */
const openFilled = (context: Context, title: string, by: Fill, more: Partial<Pager> = {}): void => {
  const filled = { by, at: context.ports.clock.mono() };
  const opened = {
    ...newPager(title, { type: 'waiting', text: 'asking the collector ...' }),
    ...more,
    filled,
  };
  context.push(opened);
  fill(context, opened, by);
};

/** The page may have been scrolled or searched meanwhile: it is known by what fills it. */
const fill = (context: Context, opened: Pager, by: Fill): void => {
  const pageNow = (): Pager | undefined =>
    context
      .state()
      .ui.overlays.find(
        (overlay): overlay is Pager => overlay.kind === 'pager' && overlay.filled?.by === opened.filled?.by,
      );
  by(opened).then(
    (content) => {
      const page = pageNow();
      if (page) patch(context, page, { content });
    },
    (error: unknown) => {
      const page = pageNow();
      if (page) showNoAnswer(context, page, error);
    },
  );
};

/** On every tick: fills the page on top again, unless somebody reads further down or searches in it. */
export const refillPage = (context: Context): void => {
  const page = context.state().ui.overlays.at(-1);
  if (page?.kind !== 'pager' || !page.filled || page.top > 0 || page.typing || page.search !== '') return;
  const at = context.ports.clock.mono();
  if (at - page.filled.at < AGAIN_MS) return;
  fill(context, patch(context, page, { filled: { ...page.filled, at } }), page.filled.by);
};

const openAsked = <N extends RequestName>(
  context: Context,
  title: string,
  name: N,
  args: () => Requests[N]['in'],
  content: (answer: Requests[N]['out']) => PagerContent,
): void => openFilled(context, title, async () => content(await context.ports.mirror.request(name, args())));

const hostPage =
  (context: Context, host: string, kernel: boolean): Fill =>
  async ({ above }) => {
    const blocks = await context.ports.mirror.request('host', { host, ...(kernel && { kernel }) });
    return { type: 'blocks', blocks: [...(above?.() ?? []), ...blocks] };
  };

export const openHost = (context: Context, host: string, above?: Pager['above']): void =>
  openFilled(context, `Host ${host}`, hostPage(context, host, false), { host, ...(above && { above }) });

/** A finding as it is now, or that it is gone; before the collector has told any, as it was. */
const findingNow = (context: Context, finding: RankedFinding): readonly Block[] => {
  const { data, now } = context.state();
  const all = data.findings ?? [finding];
  const found = all.find(({ id }) => id === finding.id);
  return found
    ? findingDetail(found, all, now)
    : [{ type: 'text', id: 'gone', lines: [{ text: `no longer found: ${textOf(finding.summary)}` }] }];
};

/** `K` on a host's page: its kernel is asked, then the page is shown anew. */
export const askKernel = (context: Context, opened: Pager): void => {
  const { host } = opened;
  if (host === undefined) return;
  context.toast(`asking the kernel of ${host} ...`);
  fill(context, opened, async (page) => {
    const content = await hostPage(context, host, true)(page);
    context.toast(`the kernel of ${host} was asked`);
    return content;
  });
};

/** Everything that changed in the last hour, or in the time that is given (`3h`). */
export const openChanged = (context: Context, lasts = ''): void => {
  const ms = lasts === '' ? undefined : durationMs(lasts);
  if (lasts !== '' && ms === undefined) {
    context.toast(`"${lasts}" is not a time; write 30min, 3h or 1d`, 'warning');
    return;
  }
  const since = () => (ms === undefined ? {} : { since: context.ports.clock.now() - ms });
  openAsked(context, 'What changed', 'changed', since, (blocks) => ({ type: 'blocks', blocks }));
};

/** Where a job or a user's jobs run. */
export const openLook = (context: Context, what: 'job' | 'user', word: string): void => {
  if (word === '') context.toast(`:${what} needs ${what === 'job' ? 'a number' : 'a name'}`, 'warning');
  else
    openAsked(
      context,
      `${what} ${word}`,
      'look',
      () => ({ [what]: word }),
      (blocks) => ({ type: 'blocks', blocks }),
    );
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
  const own = (): readonly Block[] => (finding ? findingNow(context, finding) : []);
  if ((subject.kind === 'host' || subject.kind === 'node') && context.ports.hosts().includes(subject.id)) {
    openHost(context, subject.id, own);
    return;
  }
  openAsked(
    context,
    textOf(finding?.summary) ?? `${subject.kind} ${subject.id}`,
    'detail',
    () => detailRequest(target),
    (blocks) => ({
      type: 'blocks',
      blocks: [...own(), ...blocks],
    }),
  );
};
