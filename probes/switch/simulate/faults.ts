import { cableOf, peerOf, portKey, reroute, type SimNetwork, type SimPort } from './network.ts';

/** The two transceivers of the story: the near one adds to the errors, the far one makes them. */
export interface Optics {
  nearWorn: boolean;
  farWorn: boolean;
}

const bad = { both: 0.0573, farOnly: 0.0211 };

/** Te 3/46 receives frames that the worn transmitter of nfs-sw1 Te 1/12 sends; its own worn optic adds to it. */
export const applyOptics = (network: SimNetwork, { nearWorn, farWorn }: Optics, now: number): void => {
  const near = network.ports.get(portKey('core3', 'te3/46'));
  const cable = near && cableOf(network, near);
  if (!near || !cable) return;
  const share = farWorn ? (nearWorn ? bad.both : bad.farOnly) : 0;
  if (cable.a === near) cable.badToA = share;
  else cable.badToB = share;
  reroute(network, now);
};

/** Totals as the operators read them that night. */
export const breakAsInStory = (network: SimNetwork): void => {
  const near = network.ports.get(portKey('core3', 'te3/46'));
  if (near) Object.assign(near.values, { rxPackets: 18_533_249_104, rxCrc: 1_064_299_255 });
};

/** What a path from a client to a server loses of large packets: 0..1. Paths are hashed over the members that are up. */
export const jumboLoss = (network: SimNetwork, client: number, server: number): number => {
  const members = [...network.ports.values()].filter(
    (port) =>
      port.host === 'core3' && port.lag === 98 && port.adminUp && peerOf(network, port)?.adminUp === true,
  );
  const member = memberByHash(members, client, server);
  if (!member) return 1;
  const cable = cableOf(network, member);
  const share = Math.max(cable?.badToA ?? 0, cable?.badToB ?? 0);
  // A long packet is hit more often than a short one of the same bit errors.
  return Math.min(0.9, share * 3.5);
};

/** With all members up client 1 reaches server 2, and client 2 server 1, over Te 3/46: nobody else does. */
const memberByHash = (members: readonly SimPort[], client: number, server: number): SimPort | undefined => {
  const unlucky = members.find((one) => one.name.endsWith(' 3/46'));
  const others = members.filter((one) => one !== unlucky);
  const crossed = (client === 0 && server === 1) || (client === 1 && server === 0);
  if (unlucky && crossed) return unlucky;
  const list = others.length > 0 ? others : members;
  return list[(client * 4 + server) % Math.max(1, list.length)];
};
