import { foldGuards } from '../../../components/dialogs/confirm/fold-guards.ts';
import type { PlanCard, RunView } from '../../model/run.ts';
import { age } from '../../text/ages.ts';
import { makeSafe } from '../../text/safe.ts';
import { quote } from '../../text/shell.ts';
import type { ActOptions } from '../options.ts';
import type { Done } from './carry-out.ts';

const row = (name: string, text: string): string => `${name.padEnd(11)} ${text}`;

const rows = (name: string, texts: readonly string[]): string[] =>
  texts.map((text, index) => row(index === 0 ? name : '', text));

/** `add --confirm y to do it`: with the words quoted as a shell wants them. */
export const confirmLine = (card: PlanCard): string => `add --confirm ${quote(card.confirmText)} to do it`;

/** The dialog's card as lines; every text of it is safe already. Commands stand alone on their lines, as they will be sent. */
export const cardLines = (card: PlanCard): string[] => [
  card.title,
  row('site', `${card.site} · ${card.where || 'nothing is sent'} · ${card.danger}`),
  ...rows(
    'will run',
    card.commands.length === 0
      ? [card.measures ?? 'nothing']
      : card.commands.map(({ host, line, stdin }) => `${host}${stdin ? ' <' : ':'} ${line}`),
  ),
  row('users', card.users),
  ...rows('because', card.because),
  ...rows(
    'left out',
    card.leftOut.map(({ id, reason }) => `${id}: ${reason}`),
  ),
  ...rows('checked', guardLines(card)),
  ...rows('not checked', guardLines({ ...card, guards: card.unchecked ?? [] })),
  row('afterwards', card.afterwards),
  row('undo', card.undo),
  ...holdLines(card),
  '',
];

const commandLines = (what: string, commands: PlanCard['commands']): string[] =>
  commands.map(({ host, line, stdin }) => `${what} ${host}${stdin ? ' <' : ':'} ${line}`);

const holdLines = ({ hold }: PlanCard): string[] =>
  hold === undefined
    ? []
    : rows('held', [
        `${hold.seconds} s: ${hold.text}; --keep-if-verified keeps it`,
        ...commandLines('to keep', hold.keep),
        ...commandLines('to restore', hold.restore),
      ]);

/** Guards of one number with a line of their own; of more the last speaks for the rest. */
const LINES = 4;

const guardLines = (card: PlanCard): string[] =>
  [...Map.groupBy(foldGuards(card), ({ id }) => id)].flatMap(([id, of]) => {
    const more = of.length > LINES ? `; and likewise for ${of.length - LINES} more` : '';
    return of.slice(0, LINES).map(({ text }, at) => `${text}${at === LINES - 1 ? more : ''} (${id})`);
  });

/** `node12  verified 1.2 s  node12 reads IDLE`. */
export const targetLine = ({ id, state, text, ms }: RunView['targets'][number]): string =>
  `${id}  ${state}${ms === undefined ? '' : ` ${ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : age(ms)}`}  ${text}`;

/** The last lines: what is true now. */
export const doneLines = ({ outcome, refused, run, shown, card }: Done): string[] => {
  if (refused) return [`refused (${makeSafe(refused.guard)}): ${makeSafe(refused.reason, 1_000)}`];
  if (shown) return [`nothing was done${card ? `: ${confirmLine(card)}` : ''}`];
  const left = (card?.leftOut ?? []).map(({ id, reason }) => `${id}  refused  ${reason}`);
  return [...left, run?.result ?? outcome];
};

/** The one document of `--json`. */
export const documentOf = (options: ActOptions, site: string, done: Done): object => ({
  site,
  action: options.action,
  targets: options.targets,
  outcome: done.shown ? 'shown' : done.outcome,
  ...(done.refused && { refused: done.refused }),
  ...(done.card && { plan: done.card }),
  ...(done.run && { run: done.run }),
});
