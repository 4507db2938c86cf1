import type { Discovery } from '../../src/model/discover.ts';

/** Hosts that have iperf3; nothing is started there before a person says so. */
export const iperfDiscovery: Discovery = {
  system: 'iperf',
  commands: { iperf3: 'command -v iperf3' },
  read: (said) => ({
    hosts: said
      .filter(({ printed }) => {
        const found = printed.get('iperf3');
        return found?.code === 0 && found.text.trim() !== '';
      })
      .map(({ host }) => ({ name: host, role: 'iperf', from: 'iperf3 is installed there', ofItself: true })),
  }),
};
