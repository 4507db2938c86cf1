import { makeSafe } from '../../src/text/safe.ts';
import { cutStart } from '../../src/text/width.ts';
import { patch, type Context } from '../context.ts';
import { defineKeys, runKey, type Handlers } from '../keys.ts';
import { blank, cell, joinPieces, paintWrapped, type Painted } from '../paint.ts';
import type { Theme } from '../theme.ts';
import { editText } from '../tokens.ts';
import type { Annotation, Form } from '../overlays.ts';
import { type Dialog, drawBox, innerWidth, keysLine } from './dialog.ts';

const close = (context: Context, form: Form | Annotation): void => context.replace(form, undefined);

/** A new value of the field that is typed into. */
const write = <Kind extends Form | Annotation>(context: Context, form: Kind, value: string): void => {
  const field = form.fields[form.field];
  if (!field) return;
  const { complaint: _, ...rest } = form;
  context.replace(form, { ...rest, values: { ...form.values, [field.name]: value } } as Kind);
};

const valueOf = ({ fields, field, values }: Form | Annotation): string =>
  values[fields[field]?.name ?? ''] ?? '';

const goTo = (context: Context, form: Form | Annotation, field: number): void => {
  const last = Math.max(0, form.fields.length - 1);
  patch<Form | Annotation>(context, form, { field: Math.max(0, Math.min(last, field)) });
};

/** A dialog of text fields: `submit` gets it when Enter is pressed in the last one and all that is required is there. */
export const fieldsDialog = <Kind extends Form | Annotation>(
  enter: { text: string; hint: string },
  submit: (context: Context, form: Kind) => void,
): Dialog<Kind> => {
  const keys = defineKeys([
    { keys: ['Up', 'Shift-Tab'], does: 'up', text: 'field above' },
    { keys: ['Down', 'Tab'], does: 'down', text: 'field below' },
    { keys: ['Enter'], does: 'open', ...enter },
    { keys: ['Esc'], does: 'cancel', text: 'close', hint: 'close' },
  ]);
  const check = (context: Context, form: Kind): void => {
    const missing = form.fields.findIndex(
      ({ required, name }) => required && (form.values[name] ?? '').trim() === '',
    );
    if (missing < 0) submit(context, form);
    else
      patch<Form | Annotation>(context, form, {
        field: missing,
        complaint: `${form.fields[missing]?.label ?? ''}: required`,
      });
  };
  const handlers: Handlers<'up' | 'down' | 'open' | 'cancel', [Context, Kind]> = {
    cancel: close,
    up: (context, form) => goTo(context, form, form.field - 1),
    down: (context, form) => goTo(context, form, form.field + 1),
    open: (context, form) => {
      if (form.field < form.fields.length - 1) goTo(context, form, form.field + 1);
      else check(context, form);
    },
  };
  return {
    keys,
    press: (context, form, token) => {
      if (form.busy !== undefined) {
        if (token.name === 'Esc') close(context, form);
      } else if (!runKey(keys, handlers, token.name, context, form)) {
        const value = editText(valueOf(form), token);
        if (value !== undefined) write(context, form, value);
      }
    },
    // Nothing runs by what is pasted here; line breaks become blanks.
    paste: (context, form, text) => {
      if (form.busy === undefined) write(context, form, `${valueOf(form)}${text.replace(/\s+/g, ' ')}`);
    },
    draw: ({ ports: { theme }, state }, form) => {
      const { size } = state();
      const width = innerWidth(size, 100);
      const about = 'about' in form ? form.about : [];
      const lines = [
        ...about.flatMap((text) => paintWrapped(theme, text, width)),
        ...(about.length > 0 ? [blank(width)] : []),
        ...fieldLines(theme, form, width),
        ...paintWrapped(theme, form.complaint ?? '', width, 'warning'),
        keysLine(theme, keys, width, form.busy),
      ];
      return drawBox(theme, form.title, lines.slice(-(size.rows - 2)), width, size);
    },
  };
};

/** Each field under its label. The end of a long text is what is being typed. */
const fieldLines = (
  theme: Theme,
  { fields, field, values }: Form | Annotation,
  width: number,
): readonly Painted[] =>
  fields.flatMap(({ name, label, required }, index) => {
    const here = index === field;
    const value = makeSafe(`${values[name] ?? ''}${here ? '_' : ''}`);
    const shown = cutStart(value, width - 4);
    return [
      cell(theme, `${label}${required ? ' (required)' : ''}`, width, here ? 'bold' : 'dim'),
      joinPieces(
        cell(theme, here ? '> ' : '  ', 2, 'accent'),
        cell(theme, shown, width - 2, here ? 'accent' : 'plain'),
      ),
    ];
  });
