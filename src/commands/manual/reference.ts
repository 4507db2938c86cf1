import * as z from 'zod';
import { siteJsonSchema, type SystemKnowledge } from '../../site/schema.ts';
import { pageAsMarkdown, type Page, type Part } from './page.ts';

/** As much of a JSON Schema (draft 7) as a reference is made from. */
const node = z.object({
  type: z.string().optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
  examples: z.array(z.unknown()).optional(),
  enum: z.array(z.string()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
});

const typeOf = ({ type, enum: values, items, anyOf }: z.output<typeof node>): string => {
  if (values) return `one of ${values.join(', ')}`;
  if (anyOf) return anyOf.map((one) => typeOf(node.parse(one))).join(', or ');
  if (type === 'array') return items === undefined ? 'list' : `list of ${typeOf(node.parse(items))}`;
  return (
    { object: 'map', string: 'text', integer: 'whole number', boolean: 'true or false' }[type ?? ''] ??
    type ??
    'any'
  );
};

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** `what it is. Type; default D; for example E; required`. */
const textOf = (key: z.output<typeof node>, isRequired: boolean): string => {
  const choices = key.enum ?? (key.items === undefined ? undefined : node.parse(key.items).enum);
  const facts = [
    choices ? `one of ${choices.join(', ')}` : typeOf(key),
    ...(key.default === undefined || key.properties ? [] : [`default ${shown(key.default)}`]),
    ...(key.examples ? [`for example ${key.examples.map(shown).join(' or ')}`] : []),
    ...(isRequired ? ['must be there'] : []),
  ];
  return [...(key.description ? [key.description] : []), facts.join('; ')].join(': ');
};

/** Each key with its place, in the order of the schema: `hosts[].names`. */
const keysOf = (schema: unknown, path = ''): (readonly [string, string])[] => {
  const { properties, required, items, anyOf } = node.parse(schema);
  return [
    ...(anyOf ?? []).flatMap((one) => keysOf(one, path)),
    ...(items === undefined ? [] : keysOf(items, `${path}[]`)),
    ...Object.entries(properties ?? {}).flatMap(([name, value]) => {
      const place = path === '' ? name : `${path}.${name}`;
      const key = node.parse(value);
      return [[place, textOf(key, required?.includes(name) ?? false)] as const, ...keysOf(value, place)];
    }),
  ];
};

/** Every key of the site file: what it is, its type, default and an example; made from the schema that the file is checked with. */
export const siteReference = (systems: readonly (SystemKnowledge & { title: string })[]): Page => {
  const all = keysOf(JSON.parse(siteJsonSchema({ systems })));
  const sectionOf = (place: string): string | undefined =>
    systems.find(({ id }) => id === place.split('.')[0])?.id;
  const sections = systems.flatMap(({ id, title }): Part[] => {
    const list = all.filter(([place]) => place !== id && sectionOf(place) === id);
    return list.length === 0 ? [] : [{ heading: `Section ${id}: ${title}` }, { list }];
  });
  return {
    title: 'The site file',
    summary: 'which hosts there are, what they are for, and what is particular here',
    parts: [
      {
        text: "YAML, looked for in --site and $FAULTLINE_SITE (a path, or NAME for sites/NAME.yaml beside the next one), $XDG_CONFIG_HOME/faultline/site.yaml and /etc/faultline/site.yaml. It must be your own or root's, and nobody else may write to it. Every mistake in it is told with file, line and column. How a host is reached comes from your OpenSSH configuration; there are no secrets in this file.",
      },
      {
        code: [
          'site: sherlock',
          'hosts:',
          '  - { names: ctl1, roles: [slurm-controller] }',
          "  - { names: 'node[1-200]', roles: [compute], location: { rack: 'r[1-10]' } }",
        ],
      },
      { heading: 'Keys' },
      { list: all.filter(([place]) => sectionOf(place) === undefined) },
      ...sections,
    ],
  };
};

/** The same as docs/site-file.md, not yet formatted. */
export const siteReferenceMarkdown = (systems: Parameters<typeof siteReference>[0]): string =>
  pageAsMarkdown(siteReference(systems), ['key', 'what']);
