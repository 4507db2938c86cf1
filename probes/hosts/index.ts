import type { Fact } from '../../src/model/fact.ts';
import type { Judgement, System } from '../../src/model/system.ts';
import { KERNEL_PROBE, kernelProbe, type KernelReading } from './ask/kernel.ts';
import { findings } from './judge/findings.ts';
import { kernelBlock } from './view/kernel.ts';
import { view } from './view/pane.ts';

/** What kernels said, for the systems whose lines are among them. */
const facts = ({ readings }: Judgement): readonly Fact[] =>
  readings.sources<KernelReading>(KERNEL_PROBE).flatMap(({ host, probe, good }): Fact[] =>
    good
      ? [
          {
            name: 'host.kernel',
            subject: { kind: 'host', id: host },
            value: { at: good.at, probe, lines: good.value.lines },
          },
        ]
      : [],
  );

/** The machines themselves: which of them can't be asked, and what a kernel says of itself. */
export const hosts: System = {
  id: 'hosts',
  title: 'Hosts',
  roles: [],
  formerly: {
    findings: {
      'site:host-unreachable': 'hosts:host-unreachable',
      'site:hosts-unreachable': 'hosts:hosts-unreachable',
    },
    rules: { 'unreachable-alike': 'dependency' },
  },
  probes: [kernelProbe],
  watchesAll: true,
  publishes: ['host.kernel'],
  needs: ['node.off'],
  facts,
  findings,
  track: () => [],
  view,
  detail: ({ kind, id }, judgement) => (kind === 'host' ? [kernelBlock(id, judgement)] : []),
};
