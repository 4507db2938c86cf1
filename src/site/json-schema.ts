import * as z from 'zod';
import { siteSchema, type Knowledge } from './schema.ts';

/** The JSON Schema (draft 7, which editors understand) of the site file, as text. */
export const siteJsonSchema = (knowledge: Knowledge): string => {
  const schema = z.toJSONSchema(siteSchema(knowledge), {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
  });
  return `${JSON.stringify({ title: 'Faultline site file', ...schema }, null, 2)}\n`;
};
