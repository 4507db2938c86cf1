import { createLocalStore } from '../../src/remedy/lock-local.ts';
import { createLocks, type Locks } from '../../src/remedy/locks.ts';
import { createWorld, operator, realTime, self, type World } from './world.ts';

interface Child {
  folder: string;
  world: World;
  /** Locks in the folder, by this machine's clock: the parent looks at them. */
  locks: Locks;
  /** Ends this process with SIGKILL where it is the place that was asked for. */
  die(place: unknown): void;
}

/** What `node CHILD FOLDER PLACE` works with: a cluster whose log and locks are in FOLDER, and a death at PLACE. */
export const childOf = (nodes: number): Child => {
  const [folder = '', wanted = ''] = process.argv.slice(2);
  const world = createWorld(nodes, folder);
  const { makeId: newId } = world.parts;
  const local = createLocalStore(`${folder}/locks`, realTime, newId);
  return {
    folder,
    world,
    locks: createLocks({ site: 'test', local, operator, console: self, clock: realTime, makeId: newId }),
    die: (place) => {
      if (place === wanted) process.kill(process.pid, 'SIGKILL');
    },
  };
};
