import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { emptyFolder } from '../helpers/folder.ts';

/**
 * Who may know whom (docs/design.md, Rooms), held against the linter's real configuration: patterns that match nothing are
 * silent, and a later override replaces an earlier one, so only this test says that a boundary stands.
 */
const rooms: readonly { file: string; forbidden: readonly string[]; allowed: readonly string[] }[] = [
  {
    file: 'src/model/a.ts',
    forbidden: [
      '../site/view.ts',
      '../main.ts',
      '../../probes/slurm/index.ts',
      '../../components/app.tsx',
      'react',
      'ink',
      'ssh2',
      'execa',
      'node:fs',
    ],
    allowed: ['./b.ts', '../text/safe.ts', 'zod'],
  },
  {
    file: 'src/text/a.ts',
    forbidden: [
      '../collect/store.ts',
      '../registries/systems.ts',
      '../../probes/slurm/index.ts',
      '../../components/app.tsx',
      'react',
      'node:child_process',
    ],
    allowed: ['./b.ts', '../model/subject.ts', 'string-width'],
  },
  {
    file: 'src/kit/a.ts',
    forbidden: [
      '../collect/store.ts',
      '../remedy/plan.ts',
      '../registries/systems.ts',
      '../../probes/slurm/index.ts',
      '../../components/app.tsx',
      'react',
      'node:fs',
    ],
    allowed: ['./b.ts', '../model/system.ts', '../text/width.ts', 'zod'],
  },
  {
    file: 'probes/slurm/a.ts',
    forbidden: [
      '../../src/site/view.ts',
      '../../src/transport/pool.ts',
      '../../src/registries/systems.ts',
      '../../src/demo/start.ts',
      '../gluster/index.ts',
      '../gluster/deep/x.ts',
      '../../probes/gluster/index.ts',
      '../../components/app.tsx',
      'react',
      'ink',
      'ssh2',
      'execa',
      'node:fs',
    ],
    allowed: [
      './b.ts',
      './simulator/b.ts',
      '../../src/model/system.ts',
      '../../src/kit/memo.ts',
      '../../src/text/safe.ts',
      'zod',
      'fast-xml-parser',
    ],
  },
  {
    file: 'probes/slurm/simulator/a.ts',
    forbidden: [
      '../../../src/site/view.ts',
      '../../gluster/index.ts',
      '../../../components/app.tsx',
      'node:net',
    ],
    allowed: [
      './b.ts',
      '../states.ts',
      '../simulator/b.ts',
      '../../../src/model/system.ts',
      '../../../src/kit/memo.ts',
      '../../../src/text/safe.ts',
    ],
  },
  {
    file: 'src/site/a.ts',
    forbidden: [
      '../transport/pool.ts',
      '../collect/store.ts',
      '../remedy/plan.ts',
      '../demo/start.ts',
      '../registries/systems.ts',
      '../commands/io.ts',
      '../../probes/slurm/index.ts',
      '../../components/app.tsx',
      'react',
      'ink',
    ],
    allowed: ['./b.ts', '../model/site.ts', '../text/safe.ts', 'yaml', 'node:fs'],
  },
  {
    file: 'src/audit/a.ts',
    forbidden: [
      '../remedy/plan.ts',
      '../collect/store.ts',
      '../transport/pool.ts',
      '../registries/systems.ts',
      '../commands/io.ts',
      '../../probes/slurm/index.ts',
      '../../components/app.tsx',
      'react',
    ],
    allowed: ['./b.ts', '../model/run.ts', '../text/safe.ts', 'zod', 'node:fs'],
  },
  ...(['transport', 'collect'] as const).map((room) => ({
    file: `src/${room}/b.ts`,
    forbidden: ['../audit/logged-actions.ts'],
    allowed: ['./a.ts'],
  })),
  { file: 'src/remedy/b.ts', forbidden: ['../collect/store.ts'], allowed: ['../audit/logged-actions.ts'] },
  ...(['transport', 'collect', 'remedy'] as const).flatMap((room) => {
    const others = ['transport', 'collect', 'remedy'].filter((other) => other !== room);
    return [
      {
        file: `src/${room}/a.ts`,
        forbidden: [
          ...others.map((other) => `../${other}/x.ts`),
          '../demo/start.ts',
          '../commands/io.ts',
          '../registries/systems.ts',
          '../registries/actions.ts',
          '../../probes/slurm/index.ts',
          '../../components/app.tsx',
          'react',
          'ink',
        ],
        allowed: [
          './b.ts',
          './deep/b.ts',
          '../model/site.ts',
          '../text/safe.ts',
          '../site/view.ts',
          'node:fs',
        ],
      },
      {
        file: `src/${room}/deep/a.ts`,
        forbidden: [
          ...others.map((other) => `../../${other}/x.ts`),
          '../../registries/systems.ts',
          '../../commands/io.ts',
          '../../../probes/slurm/index.ts',
          '../../../components/app.tsx',
          'react',
        ],
        allowed: [
          './b.ts',
          '../b.ts',
          '../deep/b.ts',
          '../../model/site.ts',
          '../../text/safe.ts',
          '../../site/view.ts',
          'node:fs',
        ],
      },
    ];
  }),
  ...['components/a.tsx', 'components/blocks/a.tsx'].map((file) => {
    const up = file.includes('blocks') ? '../../' : '../';
    return {
      file,
      forbidden: [
        `${up}src/collect/store.ts`,
        `${up}src/remedy/plan.ts`,
        `${up}src/transport/pool.ts`,
        `${up}src/site/view.ts`,
        `${up}src/registries/systems.ts`,
        `${up}src/main.ts`,
        `${up}probes/slurm/index.ts`,
        'ssh2',
        'execa',
        'node:fs',
      ],
      allowed: ['./b.tsx', `${up}src/model/view.ts`, `${up}src/text/width.ts`, 'react', 'ink'],
    };
  }),
  ...[
    'src/threads/worker-readonly.ts',
    'src/assemble/past.ts',
    'src/assemble/assemble.ts',
    'src/commands/wall.ts',
  ].map((file) => ({
    file,
    forbidden: [
      '../remedy/plan.ts',
      '../registries/actions.ts',
      '../assemble/remedy.ts',
      ...(file.includes('assemble') ? ['./remedy.ts'] : []),
    ],
    allowed: ['../collect/store.ts', '../registries/systems.ts', '../site/view.ts'],
  })),
];

/** Every way to know a module. */
const forms: readonly ((module: string, at: number) => string)[] = [
  (module, at) => `import { a as a${at} } from '${module}';`,
  (module, at) => `import type { T as T${at} } from '${module}';`,
  (module, at) => `export { a as b${at} } from '${module}';`,
  (module, at) => `export const c${at} = (): Promise<unknown> => import('${module}');`,
];

interface Report {
  diagnostics: readonly { code: string; filename: string; labels: readonly { span: { line: number } }[] }[];
}

let folder: string;
const reported = new Set<string>();

beforeAll(() => {
  folder = emptyFolder('boundaries');
  const root = join(import.meta.dirname, '../..');
  cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  for (const { file, forbidden, allowed } of rooms) {
    const lines = [...forbidden, ...allowed].flatMap((module, at) =>
      forms.map((form, of) => form(module, at * forms.length + of)),
    );
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `${lines.join('\n')}\n`);
  }
  const report = JSON.parse(lint(join(root, 'node_modules/.bin/oxlint'))) as Report;
  for (const { code, filename, labels } of report.diagnostics) {
    if (!code.includes('no-restricted-imports')) continue;
    for (const { span } of labels) reported.add(`${filename}:${span.line}`);
  }
});

/** Its exit code is 1, as it finds something. */
const lint = (oxlint: string): string => {
  try {
    return execFileSync(oxlint, ['--format', 'json', '.'], { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 });
  } catch (error) {
    return String((error as { stdout: unknown }).stdout);
  }
};

describe.each(rooms)('$file', ({ file, forbidden, allowed }) => {
  const formsReported = (module: string): number => {
    const from = [...forbidden, ...allowed].indexOf(module) * forms.length;
    return forms.filter((_, of) => reported.has(`${file}:${from + of + 1}`)).length;
  };

  it.each(forbidden)('may not know %s', (module) => {
    expect(formsReported(module)).toBe(forms.length);
  });

  it.each(allowed)('may know %s', (module) => {
    expect(formsReported(module)).toBe(0);
  });
});
