import type { Fact } from '../../src/model/fact.ts';
import type { Judgement } from '../../src/model/system.ts';
import { factsOf } from './pairs.ts';

/** Kernel and NIC of each host, for those who compare hosts. */
export const facts = ({ readings, site }: Judgement): readonly Fact[] =>
  site.withRole('iperf').flatMap(({ name }): Fact[] => {
    const one = factsOf(readings, name);
    if (!one) return [];
    const nic = [one.driver, one.firmware].filter((text) => text !== undefined).join(' ');
    return [
      {
        name: 'host.facts',
        subject: { kind: 'host', id: name },
        value: { ...(one.kernel !== undefined && { kernel: one.kernel }), ...(nic !== '' && { nic }) },
      },
    ];
  });
