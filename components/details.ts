import { subjectKey } from '../src/model/subject.ts';
import { errorText, type Context } from './context.ts';
import { detailRequest, detailTarget, focusedPane } from './state.ts';
import type { Detail } from './ui.ts';

/** A held arrow key asks for no detail until it rests this long. */
const REST_MS = 120;
/** A detail on the screen is asked for again this often. */
const AGAIN_MS = 5000;

/** Keeps the detail beside a zoomed pane that of the row under the cursor. Called after every change and tick. */
export const createDetails = (context: Context): (() => void) => {
  let wanted = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const put = (detail: Detail): void => {
    if (detail.key === wanted) context.change((ui) => ({ ...ui, detail }));
  };
  const ask = (): void => {
    const target = currentTarget(context);
    if (!target || target.key !== wanted) return;
    const { mono } = context.ports.clock;
    context.ports.mirror.request('detail', detailRequest(target)).then(
      (blocks) => put({ key: target.key, blocks, at: mono() }),
      (error: unknown) => put({ key: target.key, error: errorText(error), at: mono() }),
    );
  };
  return () => {
    const state = context.state();
    const target = state.ui.zoom ? currentTarget(context) : undefined;
    const key = target?.key ?? '';
    const known = state.ui.detail;
    const due = known?.key === key && context.ports.clock.mono() - known.at > AGAIN_MS;
    if (key === '' || (key === wanted && !due)) {
      wanted = key;
      return;
    }
    if (due && known)
      context.change((ui) => ({ ...ui, detail: { ...known, at: context.ports.clock.mono() } }));
    wanted = key;
    clearTimeout(timer);
    timer = setTimeout(ask, REST_MS);
    timer.unref?.();
  };
};

export const detailKey = (system: string, subject: Parameters<typeof subjectKey>[0]): string =>
  `${system} ${subjectKey(subject)}`;

const currentTarget = (context: Context) => {
  const state = context.state();
  const target = detailTarget(state, focusedPane(state, context.lists));
  return target && { ...target, key: detailKey(target.system, target.subject) };
};
