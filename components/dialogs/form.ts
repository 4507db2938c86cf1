import { patch, type Context } from '../context.ts';
import { lookup } from '../keys.ts';
import type { Token } from '../tokens.ts';
import type { Form } from '../ui.ts';
import { edited } from './text-field.ts';
import { requestPlan } from './menu.ts';

/** A new value of the field under the cursor. */
const write = (context: Context, form: Form, value: string): void => {
  const prompt = form.entry.prompts[form.field];
  if (!prompt) return;
  const { complaint: _, ...rest } = form;
  context.replace(form, { ...rest, values: { ...form.values, [prompt.name]: value } });
};

export const pressForm = (context: Context, form: Form, token: Token): void => {
  const does = lookup('form', token.name);
  const last = form.entry.prompts.length - 1;
  if (does === 'cancel') context.replace(form, undefined);
  else if (form.busy !== undefined) return;
  else if (does === 'up') patch(context, form, { field: Math.max(0, form.field - 1) });
  else if (does === 'down') patch(context, form, { field: Math.min(last, form.field + 1) });
  else if (does === 'open' && form.field < last) patch(context, form, { field: form.field + 1 });
  else if (does === 'open') submit(context, form);
  else {
    const prompt = form.entry.prompts[form.field];
    const value = edited(form.values[prompt?.name ?? ''] ?? '', token);
    if (value !== undefined) write(context, form, value);
  }
};

/** A reason may be pasted: nothing runs by it. */
export const pasteForm = (context: Context, form: Form, text: string): void => {
  const prompt = form.entry.prompts[form.field];
  write(context, form, `${form.values[prompt?.name ?? ''] ?? ''}${text.replace(/\s+/g, ' ')}`);
};

const submit = (context: Context, form: Form): void => {
  const missing = form.entry.prompts.findIndex(
    (prompt) => prompt.required && (form.values[prompt.name] ?? '').trim() === '',
  );
  if (missing >= 0) {
    patch(context, form, {
      field: missing,
      complaint: `${form.entry.prompts[missing]?.label ?? ''} is required`,
    });
    return;
  }
  const given = Object.fromEntries(Object.entries(form.values).filter(([, value]) => value.trim() !== ''));
  requestPlan(context, form, { ...form.wanted, set: { ...form.wanted.set, ...given } });
};
