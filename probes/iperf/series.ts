/** bits/s of one direction: `iperf/pair/a:b/bps`. */
export const bpsSeries = (pair: string): string => `iperf/pair/${pair}/bps`;
/** The facts of a host as they were: what changed when a figure changed. */
export const factsSeries = (host: string): string => `iperf/host/${host}/facts`;
