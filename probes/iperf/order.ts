/** A test as both ends are told of it. */
export interface Order {
  client: string;
  server: string;
  /** What the client connects to. */
  address: string;
  tool: 'iperf3' | 'iperf2';
  seconds: number;
  streams: number;
  mode: 'forward' | 'reverse' | 'both';
  window?: string;
  /** Mbit/s per stream. */
  rate?: number;
  /** Tried one after the other when one is in use. */
  ports: readonly number[];
  /** Ends within 10 s when nobody watches it any more. */
  watched: boolean;
}
