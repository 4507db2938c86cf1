/** bits/s of one direction: `iperf/pair/a:b/bps`. */
export const bpsSeries = (pair: string): string => `iperf/pair/${pair}/bps`;
/** Each test of a direction with the facts of both ends as they were: `iperf/pair/a:b/test`. */
export const testSeries = (pair: string): string => `iperf/pair/${pair}/test`;
/** The facts of a host as they were: what changed when a figure changed. */
export const factsSeries = (host: string): string => `iperf/host/${host}/facts`;
