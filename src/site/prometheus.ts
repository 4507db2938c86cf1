import * as z from 'zod';
import type { PrometheusOf } from '../model/site.ts';
import { isPlain } from '../text/safe.ts';

/** Label names of Prometheus' data model, without those that it keeps for itself. */
const labelName = /^(?!__)[A-Za-z_][A-Za-z0-9_]*$/;

const urlText = 'is not the address of a Prometheus; write it as http://localhost:9090';

const isAddress = (text: string): boolean => {
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return false;
  const { search, hash } = new URL(text);
  return search === '' && hash === '';
};

const isWithoutSecret = (text: string): boolean => {
  if (!URL.canParse(text)) return true;
  const { username, password } = new URL(text);
  return username === '' && password === '';
};

/** The site file's `prometheus`. No secret stands in it: the token is read on the host that asks. */
export const prometheusSchema = z
  .strictObject({
    url: z
      .string()
      .refine(isAddress, urlText)
      .refine(
        isWithoutSecret,
        'holds a name or password; no secrets in this file: use tokenFile or tokenCommand',
      )
      .meta({
        description: 'its address as the host sees it; /api/v1/query is added',
        examples: ['http://localhost:9090'],
      }),
    through: z
      .string()
      .min(1, 'is empty; name the host that asks it')
      .meta({ description: 'the host of the site that asks it, with curl', examples: ['admin1'] }),
    tokenFile: z
      .string()
      .regex(
        /^\/[A-Za-z0-9._/+@-]+$/,
        'is not an absolute path of plain characters; write it as /etc/faultline/token',
      )
      .optional()
      .meta({ description: 'a file on that host with the bearer token', examples: ['/etc/faultline/token'] }),
    tokenCommand: z
      .array(z.string().min(1).max(1000).refine(isPlain, 'holds control or invisible characters'))
      .min(1, 'is empty; write the command as a list of words')
      .optional()
      .meta({
        description: 'a command on that host that prints the bearer token',
        examples: [['pass', 'show', 'prometheus']],
      }),
    match: z
      .record(
        z.string().regex(labelName),
        z.string().min(1).max(1000).refine(isPlain, 'holds control or invisible characters'),
      )
      .default({})
      .meta({
        description: 'labels that a series must have, where Prometheus knows other sites, too',
        examples: [{ cluster: 'hpc1' }],
      }),
    label: z
      .string()
      .regex(labelName, 'is not the name of a label; write it as instance')
      .default('instance')
      .describe("the label that names a series' host; a port behind it is left out"),
  })
  .refine(({ tokenFile, tokenCommand }) => tokenFile === undefined || tokenCommand === undefined, {
    path: ['tokenCommand'],
    message: 'stands beside tokenFile; keep one of the two',
  });

/** The section as the program knows it; nothing where it is absent or out of shape, which the schema tells. */
export const prometheusIn = (section: unknown): { prometheus?: PrometheusOf } => {
  const parsed = section === undefined ? undefined : prometheusSchema.safeParse(section);
  if (!parsed?.success) return {};
  const { url, through, tokenFile, tokenCommand, match, label } = parsed.data;
  return {
    prometheus: {
      url: url.replace(/\/+$/, ''),
      through,
      match,
      label,
      ...(tokenFile !== undefined && { tokenFile }),
      ...(tokenCommand && { tokenCommand }),
    },
  };
};
