import type { PlanCard } from '../../../src/model/run.ts';
import { subjectKey, type Subject } from '../../../src/model/subject.ts';
import type { Requests } from '../../../src/model/wire.ts';
import { clock } from '../../../src/text/ages.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { errorText, patch, type Context } from '../../context.ts';
import type { Confirm } from '../../overlays.ts';
import { dropPlan } from '../menu/plan.ts';

/** A plan that is read is made anew so long after the last answer. */
const RENEW_MS = 3_000;

/** Once a second: the guards of a plan that is read are read again, and their lines follow. */
export const renewConfirm = (context: Context, confirm: Confirm): void => {
  const { mono } = context.ports.clock;
  const { card, wanted, sending, asking, askedAt } = confirm;
  if (sending) return;
  if (context.state().live.collector.state !== 'running') {
    block(context, confirm, 'the collector is stopped: nothing is read, nothing can be sent');
    return;
  }
  if (asking || mono() - askedAt < RENEW_MS) return;
  patch(context, confirm, { asking: true });
  context.ports.mirror.request('plan', { ...wanted, renews: card.id }).then(
    (answer) => follow(context, card.id, answer),
    (error: unknown) => {
      const now = openWith(context, card.id);
      if (now) block(context, now, `no answer from the collector: ${errorText(error)}`);
    },
  );
};

/** The dialog of a plan as it is now, whatever was typed meanwhile. */
const openWith = (context: Context, plan: string): Confirm | undefined => {
  const open = context
    .state()
    .ui.overlays.find((one): one is Confirm => one.kind === 'confirm' && one.card.id === plan);
  return open?.sending ? undefined : open;
};

const block = (context: Context, confirm: Confirm, blocked: string): void => {
  if (confirm.blocked === blocked && !confirm.asking) return;
  const askedAt = context.ports.clock.mono();
  patch(context, confirm, { blocked, asking: false, askedAt });
};

/** What would be sent is what is drawn: where it is otherwise than before, what was typed and seen is void. */
const follow = (context: Context, plan: string, answer: Requests['plan']['out']): void => {
  const confirm = openWith(context, plan);
  if (confirm === undefined) {
    if ('card' in answer && answer.card.id !== plan) dropPlan(context, answer.card.id);
    return;
  }
  if ('refused' in answer) {
    block(context, confirm, answer.refused.reason);
    return;
  }
  const { blocked, complaint, ...rest } = confirm;
  const mono = context.ports.clock.mono();
  // What was in the way of a key may be so no more, and must not stand below a plan that says the opposite.
  const isStill = blocked === undefined && answer.card.id === plan;
  const next: Confirm = {
    ...rest,
    ...(isStill && complaint !== undefined && { complaint }),
    card: answer.card,
    asking: false,
    askedAt: mono,
  };
  context.replace(
    confirm,
    answer.card.id === plan
      ? next
      : {
          ...next,
          openedAt: mono,
          typed: '',
          top: 0,
          seenEnd: false,
          changed: `${clock(context.ports.clock.now())}  ${changeText(confirm, answer.card)}`,
        },
  );
};

const changeText = ({ card, typed, blocked }: Confirm, now: PlanCard): string => {
  const gone = missingIn(now.targets, card.targets);
  const come = missingIn(card.targets, now.targets);
  const changes = [
    ...(gone.length > 0 ? [`${fold(gone)} left out`] : []),
    ...(come.length > 0 ? [`${fold(come)} added`] : []),
  ];
  const isSame = card.hash === now.hash && changes.length === 0;
  const what = changes.length > 0 ? changes.join(', ') : 'the commands changed';
  const why = blocked !== undefined && isSame ? 'the plan can be confirmed now' : what;
  return `${why}: read the plan again${typed === '' ? '' : '; what was typed is void'}`;
};

const missingIn = (all: readonly Subject[], some: readonly Subject[]): readonly string[] => {
  const keys = new Set(all.map(subjectKey));
  return some.filter((one) => !keys.has(subjectKey(one))).map(({ id }) => id);
};
