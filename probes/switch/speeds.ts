/** Where a port's lines begin: `TenGigabitEthernet 3/46 is up`, `Ethernet1 is up`. */
const begins = /^([A-Za-z][A-Za-z-]* ?\d[\d/:.]*) is /;

/**
 * Link speeds in Mbit/s by the port's printed name, from screens (`LineSpeed 10000 Mbit`, `BW 10000000 kbit`) and from JSON
 * that has a `bandwidth` in bit/s (EOS) or a speed in words. What is not printed is absent: a guard that needs it refuses.
 */
export const speedsIn = (stdout: string): ReadonlyMap<string, number> => {
  const speeds = new Map<string, number>();
  let port: string | undefined;
  for (const line of stdout.split('\n')) {
    port = begins.exec(line)?.[1] ?? /^\s*"(Ethernet[\d/]+)": \{/.exec(line)?.[1] ?? port;
    if (port === undefined || speeds.has(port)) continue;
    const mbit = /\bLineSpeed (\d+) Mbit/.exec(line)?.[1];
    const kbit = /\bBW (\d+) [Kk]bit/.exec(line)?.[1];
    const bit = /"bandwidth": (\d+)/.exec(line)?.[1];
    if (mbit) speeds.set(port, Number(mbit));
    else if (kbit) speeds.set(port, Number(kbit) / 1000);
    else if (bit && bit !== '0') speeds.set(port, Number(bit) / 1e6);
  }
  return speeds;
};
