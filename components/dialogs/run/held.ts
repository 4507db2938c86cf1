import type { HoldView } from '../../../src/model/run.ts';
import { errorText, patch, type Context } from '../../context.ts';
import type { Hint } from '../../keys.ts';
import { paintWrapped, type Painted } from '../../paint.ts';
import type { Style, Theme } from '../../theme.ts';
import { editText, type Token } from '../../tokens.ts';
import type { RunBox } from '../../overlays.ts';

/** Letters belong to the word that keeps it, so the box has no other letters than U. */
export const heldHints: readonly Hint[] = [
  ['Enter', 'after the word'],
  ['U', 'restore it now'],
];

/** Gives whether the key was for the hold. Doing nothing lets the armed undo come, so nothing here needs hurry. */
export const pressHeld = (context: Context, box: RunBox, hold: HoldView, token: Token): boolean => {
  const { complaint: _, sure, ...now } = box;
  const typed = box.typed ?? '';
  if (token.name === 'Enter') {
    if (typed === hold.typed) ask(context, { ...now, typed: '' }, box, 'keep', typed);
    else context.replace(box, { ...now, typed: '', complaint: `not kept: type ${hold.typed}, then Enter` });
    return true;
  }
  if (token.name === 'Esc') {
    const complaint = `it stays open while the change is held; doing nothing restores it`;
    context.replace(box, { ...now, typed: '', ...(typed === '' && sure === undefined && { complaint }) });
    return true;
  }
  if (token.name === 'U') {
    if (sure) ask(context, now, box, 'restore', '');
    else context.replace(box, { ...now, typed: '', sure: true });
    return true;
  }
  const text = editText(typed, token);
  if (text === undefined) return false;
  context.replace(box, { ...now, typed: text });
  return true;
};

const ask = (context: Context, next: RunBox, box: RunBox, what: 'keep' | 'restore', typed: string): void => {
  context.replace(box, next);
  const say = (complaint: string): void => void patch(context, next, { complaint });
  const { mirror } = context.ports;
  const answer =
    what === 'keep'
      ? mirror.request('keep', { run: box.run, typed })
      : mirror.request('restore', { run: box.run });
  answer.then(
    (said) => {
      if ('refused' in said) say(said.refused.reason);
    },
    (error: unknown) => say(`the collector did not answer: ${errorText(error)}`),
  );
};

/** The countdown, what is watched, and what may be typed. */
export const heldLines = (theme: Theme, hold: HoldView, box: RunBox, width: number): readonly Painted[] => {
  const say = (text: string, style: Style): readonly Painted[] => paintWrapped(theme, text, width, style);
  const { state, good } = hold;
  const head = {
    waiting: `${hold.secondsLeft} s left, then restored by itself unless kept (${hold.text})`,
    keeping: 'keeping it',
    restoring: 'restoring it',
    ending: `not kept: restored within ${hold.secondsLeft} s, then read again`,
  }[state];
  return [
    ...say(head, hold.secondsLeft <= 15 && state === 'waiting' ? 'critical' : 'warning'),
    ...hold.watched.flatMap((line) => say(`  ${line}`, 'plain')),
    ...(good ? say(`  ${good.ok ? '✓' : '!'} ${good.text}`, good.ok ? 'good' : 'warning') : []),
    ...(state === 'waiting'
      ? [
          ...say(
            `type ${hold.typed} to keep it · U restores it now (asks) · doing nothing restores it`,
            'bold',
          ),
          ...say(`> ${box.typed ?? ''}_`, 'accent'),
        ]
      : []),
    ...(box.sure && state === 'waiting'
      ? say('U once more restores it now; Esc goes on waiting', 'warning')
      : []),
    ...(box.complaint === undefined ? [] : say(box.complaint, 'warning')),
  ];
};
