import type { SimulatedAnswer, SimulatedCall } from '../../../src/model/simulator.ts';
import type { NfsState } from './state.ts';

/** Where users of the demo list directories: Lustre below /scratch, a disk of its own below /home. */
export const LOGIN_HOST = 'login1';

/** Coreutils 8.30 with libcap, as of EL8; its table of dircolors asks for capabilities. */
const COLOURS =
  'rs=0:di=01;34:ln=01;36:mh=00:pi=40;33:so=01;35:do=01;35:bd=40;33;01:cd=40;33;01:or=40;31;01:mi=01;05;37;41:su=37;41:sg=30;43:ca=30;41:tw=30;42:ow=34;42:st=37;44:ex=01;32:*.tar=01;31:*.gz=01;31:';

const PROFILE = '/etc/profile.d/zz-faultline-ls-colors.sh';

/** ms for each entry: without a look at it, and with one. On Lustre each asks the OSTs for a size. */
const priceIn = (directory: string): { bare: number; look: number; row: string } =>
  /^\/scratch(?:\/|$)/.test(directory)
    ? {
        bare: 0.022,
        look: 0.874,
        row: '10.98.5.1@o2ib:/scratch lustre 1900000000000 900000000000 1000000000000 48% /scratch',
      }
    : { bare: 0.001, look: 0.004, row: '/dev/sda2 xfs 209715200 41943040 167772160 20% /' };

/** What list.sh keeps. `now`: UTC ms. */
const measure = (state: NfsState, directory: string, most: number, seconds: number, now: number): string => {
  const { bare, look, row } = priceIn(directory);
  const isOff = state.files.has(PROFILE);
  let clock = state.ageS(now);
  const run = (form: string, price: number): string => {
    const took = Math.min(seconds, (price * most) / 1000);
    const begun = clock;
    clock += took;
    const isOver = took >= seconds;
    const entries = isOver ? Math.floor((seconds * 1000) / price) : most;
    return `form ${form} ${begun.toFixed(2)} ${clock.toFixed(2)} entries ${entries} code ${isOver ? 137 : 0}\n`;
  };
  const host = isOff ? bare : look;
  return [
    `directory ${directory}\nat ${Math.floor(now / 1000)}\nlimits ${most} ${seconds}\nfilesystem ${row}\n`,
    `ls ls (GNU coreutils) 8.30\nrefused \nskel 0\ncolours profile ${COLOURS}${isOff ? 'ex=00:su=00:sg=00:ca=00' : ''}\n`,
    ...[
      ['off', bare],
      ['host', host],
      ['stat', isOff ? bare : look * 0.6],
      ['plain', bare],
      ['host', host],
      ['plain', bare],
      ['off', bare],
    ].map(([form, price]) => run(String(form), Number(price))),
    'end\n',
  ].join('');
};

/** A measurement of before. */
export const measureBefore = (state: NfsState, now: number): void => {
  state.listings.set('/scratch/data', measure(state, '/scratch/data', 15_000, 10, now));
};

const file = (state: NfsState, path: string): string => {
  const text = state.files.get(path);
  return `${text ?? ''}\n`;
};

const listingText = (state: NfsState, now: number): string => {
  const parts = [
    ['clock', `${Math.floor(now / 1000)}\n\n`, 0],
    ['mounts', '0\n\n', 0],
    ['listings', `${[...state.listings.values()].join('')}\n`, 0],
    ...['sh', 'csh'].map((name) => {
      const path = PROFILE.replace(/sh$/, name);
      return [name, file(state, path), state.files.has(path) ? 0 : 4];
    }),
  ];
  return `${parts.map(([name, text, code]) => `@@faultline ${name}\n${text}@@faultline ${name}-exit ${code}\n`).join('')}@@faultline end\n`;
};

const install = (state: NfsState, path: string, text: string): SimulatedAnswer => {
  if (state.files.has(path))
    return { stderr: `ln: failed to create hard link '${path}': File exists\n`, exitCode: 1 };
  state.files.set(path, text);
  return { mutated: true };
};

const remove = (state: NfsState, path: string, text: string): SimulatedAnswer => {
  if (state.files.get(path) !== text) return { stdout: `${path} is not what was put there\n`, exitCode: 3 };
  state.files.delete(path);
  return { mutated: true };
};

/** What the login host answers about listings; undefined: not a command of it. */
export const loginCommand = (
  state: NfsState,
  { argv, stdin, now }: SimulatedCall,
): SimulatedAnswer | undefined => {
  const [program, option, , name, path = '', most, seconds] = argv;
  if (program !== 'sh') return undefined;
  if (option === '-s' && name === 'nfs-list') {
    state.listings.set(path, measure(state, path, Number(most), Number(seconds), now));
    return { delayMs: 1500, mutated: true };
  }
  if (name === 'faultline-nfs-listing') return { stdout: listingText(state, now) };
  if (name === 'faultline-colours-install') return install(state, path, stdin);
  return name === 'faultline-colours-remove' ? remove(state, path, stdin) : undefined;
};
