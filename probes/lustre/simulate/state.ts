/** One simulated OST. Sizes in KiB. */
export interface SimOst {
  index: number;
  name: string;
  oss: string;
  /** What it was mounted from. */
  device: string;
  kbTotal: number;
  kbUsed: number;
  objects: number;
  degraded: boolean;
  noPrecreate: boolean;
  /** Its quota slave never got the master's lock for groups. */
  quotaStuck: boolean;
  /** UTC ms at which recovery ends; undefined: over. */
  recoveringUntil?: number;
  recoveryStart: number;
  /** Clients that never came back from the last recovery. */
  evicted: number;
  locks: {
    granted: number;
    limit: number;
    grantRate: number;
    cancelRate: number;
    slv: number;
    timeouts: number;
  };
  /** The write cache below it is off: writes take long. */
  slow?: true;
  /** UTC ms at which they were quick again. */
  slowUntil?: number;
  /** Files with an object here, for lists and migrations. */
  files: string[];
}

/** An MDT's own copy of an OST. */
export interface SimImport {
  active: boolean;
  max: number;
  create: number;
  nextId: number;
  destroys: number;
  /** Parts of objects that are not whole yet. */
  carry: number;
}

export interface SimMdt {
  index: number;
  name: string;
  host: string;
  threshold: number;
  imports: SimImport[];
}

export interface SimState {
  fs: string;
  version: string;
  osts: SimOst[];
  mdts: SimMdt[];
  clients: number;
  /** UTC ms up to which time has been played. */
  at: number;
  startedAt: number;
}

export const client = 'login1';
export const mount = '/scratch';
const hex = (index: number): string => index.toString(16).padStart(4, '0');

/** One MDT on each MDS. */
export interface SimSize {
  mdss: number;
  osss: number;
  /** OSTs on each OSS. */
  perOss: number;
}

/** LUNs of `array1`, six for each of two servers; what lies below other OSTs nobody looks at. */
export const ARRAY_DEVICES = '/dev/mapper/array1-lun';
const deviceOf = (index: number, perOss: number): string => {
  const server = ['oss3', 'oss4'].indexOf(`oss${Math.floor(index / perOss) + 1}`);
  const at = index % perOss;
  return server < 0 || at >= 6 ? `/dev/mapper/ost${hex(index)}` : `${ARRAY_DEVICES}${server * 6 + at}`;
};

/** All targets alike and well. */
export const buildState = (version: string, now: number, { mdss, osss, perOss }: SimSize): SimState => {
  const fs = 'scratch';
  const osts = Array.from({ length: osss * perOss }, (_, index): SimOst => {
    const kbTotal = 46_873_571_328;
    return {
      index,
      name: `${fs}-OST${hex(index)}`,
      oss: `oss${Math.floor(index / perOss) + 1}`,
      device: deviceOf(index, perOss),
      kbTotal,
      kbUsed: Math.round(kbTotal * (0.595 + ((index * 7) % 10) / 500)),
      objects: 8_000_000 + index * 3_517,
      degraded: false,
      noPrecreate: false,
      quotaStuck: false,
      recoveryStart: now - 41 * 86_400_000,
      evicted: 0,
      locks: {
        granted: 980_000 + index * 4_201,
        limit: 3_276_800,
        grantRate: 420 + index,
        cancelRate: 410 + index,
        slv: 64_213_000_000 + index,
        timeouts: 0,
      },
      files: filesOf(index),
    };
  });
  const mdts = Array.from({ length: mdss }, (_, index): SimMdt => ({
    index,
    name: `${fs}-MDT${hex(index)}`,
    host: `mds${index + 1}`,
    threshold: 17,
    imports: osts.map((ost) => ({
      active: true,
      max: 20_000,
      create: 128,
      nextId: 4_000_000 + ost.index * 1_009 + index * 77,
      destroys: 0,
      carry: 0,
    })),
  }));
  return { fs, version, osts, mdts, clients: 1_412, at: now, startedAt: now };
};

export const users = ['u0993', 'u1204', 'u2210', 'proj-climate/cmip', 'proj-qcd'];

const filesOf = (index: number): string[] =>
  Array.from(
    { length: 60 },
    (_, at) =>
      `${mount}/${users[at % users.length]}/run${index % 7}/restart.${String(index * 60 + at).padStart(4, '0')}.h5`,
  );

/** Whether this release is at least that one. */
export const isSince = ({ version }: Pick<SimState, 'version'>, major: number, minor: number): boolean => {
  const [own = 0, part = 0] = version.split('.').map(Number);
  return own > major || (own === major && part >= minor);
};

export const kbAvail = (ost: SimOst): number => Math.max(0, Math.round(ost.kbTotal * 0.9921) - ost.kbUsed);

export const isRecovering = (ost: SimOst, now: number): boolean =>
  ost.recoveringUntil !== undefined && now < ost.recoveringUntil;
