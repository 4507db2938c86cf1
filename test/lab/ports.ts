import { createServer } from 'node:net';

interface Place {
  address: string;
  port: number;
}

const isFree = ({ address, port }: Place): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: address, port, exclusive: true }, () => server.close(() => resolve(true)));
  });

/** A first port of which nobody uses what is made of it, below the range from which the kernel takes outgoing ports. */
export const freePort = async (placesFrom: (first: number) => readonly Place[]): Promise<number> => {
  for (let tries = 0; tries < 50; tries++) {
    const port = 20_000 + 20 * Math.floor(Math.random() * 600);
    const free = await Promise.all(placesFrom(port).map(isFree));
    if (free.every(Boolean)) return port;
  }
  throw new Error('no free ports between 20000 and 32000');
};
