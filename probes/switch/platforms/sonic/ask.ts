import type { PlatformAsk } from '../contracts.ts';

/** SONiC: a Linux shell with its own commands. `config` changes the running state; nothing is saved. */
export const sonicAsk: PlatformAsk = {
  id: 'sonic',
  title: 'SONiC',
  via: 'sh',
  machineReadable: true,
  ask: {
    counters: ['portstat -a -j'],
    lags: ['show interfaces portchannel'],
    neighbors: ['sudo -n lldpctl -f json'],
    optics: { all: ['show interfaces transceiver eeprom -d'] },
    // Each starts an interpreter that reads the whole of several databases: a second and more. An older release refuses the second one.
    settings: { all: ['show interfaces status', 'show interfaces autoneg status'] },
  },
  // Its rates come from the port counters (counterpoll) and are N/A while these are not polled.
  noLoad: 'portstat prints no RX_UTIL and TX_UTIL there; see that counterpoll show names PORT_STAT enabled',
  minLinks: ['sonic-cfggen -d --var-json PORTCHANNEL'],
  chassis: () => ["sonic-db-cli CONFIG_DB keys 'MCLAG_*'"],
  nameOf: (port) => /^eth(\d+)$/.exec(port)?.[1]?.replace(/^/, 'Ethernet'),
  restore: (name) => [`sudo -n config interface startup ${name}`],
};
