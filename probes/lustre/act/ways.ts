import type { Osp } from '../readings.ts';

type Verb = 'resume-creates' | 'deactivate' | 'activate';

/** One way to change whether the MDTs use an OST. */
export interface Way {
  verb: Verb;
  title: string;
  danger: 'service' | 'access';
  users: string;
  because: string;
  afterwards: string;
  undoText: string;
  /** What an import reads where nothing is left to set. */
  isSet(osp: Osp): boolean;
  /** What it must read afterwards. */
  isDone(osp: Osp): boolean;
  already: string;
}

/** What was not read is not in use. */
const isInUse = (osp: Osp): boolean =>
  osp.active === true && osp.maxCreateCount !== undefined && osp.maxCreateCount > 0;

export const ways: Readonly<Record<Verb, Way>> = {
  'resume-creates': {
    verb: 'resume-creates',
    title: 'resume creates',
    danger: 'service',
    users: 'new files may be placed there again',
    because:
      'create_count comes back as 32, not as its old value: the first files may wait; it grows by itself',
    afterwards:
      'every MDT must read active=1, the restored max_create_count, and precreate (prealloc_status 0) within 3 min',
    undoText: 'stop creates again',
    isSet: isInUse,
    isDone: (osp) => isInUse(osp) && osp.prealloc !== undefined && osp.prealloc >= 0,
    already: 'is open to new files already',
  },
  deactivate: {
    verb: 'deactivate',
    title: 'deactivate on the MDTs',
    danger: 'access',
    users: 'new files go to other OSTs; what is deleted frees no space there meanwhile',
    because:
      'for an OST that is dying or is removed for good: destroys queue up on the MDTs and free no space until it is activated',
    afterwards: 'every MDT must read active=0 within 30 s',
    undoText: 'activate again',
    isSet: (osp) => osp.active === false,
    isDone: (osp) => osp.active === false,
    already: 'inactive already on every MDT',
  },
  activate: {
    verb: 'activate',
    title: 'activate on the MDTs',
    danger: 'access',
    users: 'new files may be placed there again',
    because: 'the MDTs connect again and send the destroys that waited',
    afterwards: 'every MDT must read active=1 and a FULL import within 3 min',
    undoText: 'deactivate again',
    isSet: (osp) => osp.active === true,
    isDone: (osp) => osp.active === true && osp.state === 'FULL',
    already: 'active already on every MDT',
  },
};
