import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { start, type Session } from './driver.ts';

/** The bytes that went to the clipboard last. */
const copied = (session: Session): string => {
  const parts = session.output().split('\u001B]52;c;');
  return Buffer.from((parts.at(-1) ?? '').split('\u0007')[0] ?? '', 'base64').toString();
};

/** Keys of the board that other tests press: A N C Y ! w :user (night), / Enter e ? :host q L a (console). */
describe('every key of the board does its work', () => {
  let session: Session;
  beforeAll(async () => {
    session = start(['demo', '--incident', 'night'], { columns: 200, rows: 50 });
    await session.until(/node\[78-100\] lost together.*explains \d more/);
    await session.until(/core3 te3\/46 .*suspect nfs-sw1/);
    await session.until(/! 1e +oss4/);
    // Of what stands below the fold only the count is on the first screen: `iperf` has its pane for it.
    await session.until(/from wn-d-03 .*2\.3!/);
  });
  afterAll(() => session.close());

  test('1 to 9 go to a pane, 0 and f to the findings', async () => {
    for (const [key, row] of [
      ['2', />[!✖] core3 te3\/46/],
      ['3', />✖ home0/],
      ['4', />[!✓] (?:09-11|1e|00-08)/],
      ['1', />! Not responding/],
      ['0', /^>✖ slurm +node\[78-100\] lost together/m],
    ] as const) {
      await session.keys(key);
      await session.until(row);
    }
    await session.keys('2', 'f');
    await session.until(/^>✖ slurm +node\[78-100\] lost together/m);
    await session.keys('9');
    await session.until('there is no pane 9');
  });

  test('Tab and the arrows go round the panes', async () => {
    await session.keys('1', 'Tab');
    await session.until(/>[!✖] core3 te3\/46/);
    await session.keys('l');
    await session.until(/>✖ home0/);
    await session.keys('h', 'Left');
    await session.until(/>! Not responding/);
    await session.keys('Right');
    await session.until(/>[!✖] core3 te3\/46/);
    await session.keys('Shift-Tab');
    await session.until(/>! Not responding/);
  });

  test('j k and the arrows move, g and G go to the ends', async () => {
    await session.keys('1', 'j');
    await session.until(/>! HDFS mount lost/);
    await session.keys('k');
    await session.until(/>! Not responding/);
    await session.keys('Down');
    await session.until(/>! HDFS mount lost/);
    await session.keys('Up', 'G');
    await session.until((screen) => !/>! (?:Not responding|HDFS)/.test(screen));
    await session.keys('g');
    await session.until(/>! Not responding/);
  });

  test('Space marks, Esc clears the marks', async () => {
    await session.keys('1', 'g', 'Space', 'Space');
    await session.until('2 marked');
    await session.until(/^ !\*Not responding/m);
    await session.keys('Esc');
    await session.until((screen) => !screen.includes('marked'));
  });

  test('s sorts by the next column, S turns it round', async () => {
    await session.keys('1', 'g', 's');
    await session.until('sorted by REASON');
    await session.until(/REASON↑/);
    await session.keys('S');
    await session.until(/REASON↓/);
    for (const title of ['#', 'NODES', 'BY', 'SINCE', 'CHECK']) {
      await session.keys('s');
      await session.until(`sorted by ${title}`);
    }
    await session.keys('s');
    await session.until('in the order of the pane');
    await session.until((screen) => !/[A-Z#][↑↓]/.test(screen));
  });

  test('r reads again, p pauses the drawing and goes on', async () => {
    await session.keys('1', 'r');
    await session.until(/asked \d+ sources again/);
    await session.keys('p');
    await session.until(/drawing paused since \d\d:\d\d:\d\d/);
    await session.keys('p');
    await session.until((screen) => !screen.includes('drawing paused'));
  });

  test('y copies the row as it stands there', async () => {
    await session.keys('1', 'g', 'y');
    await session.until(/copied/);
    expect(copied(session)).toMatch(/^Not responding +33 +node\[33,47,59,78-100,/);
  });

  test('on a finding the arrows show and fold what it explains', async () => {
    await session.keys('0', 'g', 'Right');
    await session.until(/^ ! slurm +partition batch: 54 of 180/m);
    await session.until(/^ ! slurm +slurmctld on ctl1 slow/m);
    await session.keys('j');
    await session.until(/^>! (?:slurm|hosts) {4,}\S/m);
    await session.keys('Left');
    await session.until((screen) => !screen.includes('partition batch: 54 of 180'));
    await session.until(/^>✖ slurm +node\[78-100\] lost together/m);
  });

  test('the details of a finding say what can be done now', async () => {
    await session.keys('/');
    await session.type('Kill task');
    await session.keys('Enter', 'g', 'Enter', 'Enter');
    await session.until('Actions now');
    await session.until(/resume/);
    await session.keys('Esc', 'Esc', '/', 'Esc');
  });

  test('a on a file system lists its own actions, not those of volumes elsewhere', async () => {
    await session.keys('0', '/');
    await session.type('uneven');
    await session.keys('Enter', 'a');
    await session.until('volume scratch');
    await session.until(/other actions on scratch/);
    await session.keys('Right');
    await session.until(/balancing/);
    // The box alone: the panes around it speak of Gluster.
    const menu = session.lines().map((line) => line.split('│')[1] ?? '');
    expect(menu.join('\n')).toMatch(/balancing/);
    expect(menu.join('\n')).not.toMatch(/statedump|glusterd|free|brick/i);
    await session.keys('Esc', '/', 'Esc');
  });

  test(':planned announces work: the finding is a notice until it ends, or is ended', async () => {
    await session.keys('0', '/');
    await session.type('gres');
    await session.keys('Enter', 'g');
    await session.until(/^>! slurm +node181 drained/m);
    await session.type(':planned');
    await session.keys('Enter');
    await session.until('what is being done');
    await session.type('new GPU');
    await session.keys('Enter', 'Enter');
    await session.until('written to the shared folder');
    await session.until(/^>· slurm +node181 drained .*planned until/m);
    await session.type(':planned');
    await session.keys('Enter');
    await session.until('End the planned work');
    await session.keys('Enter');
    await session.until(/^>! slurm +node181 drained/m);
    await session.keys('/', 'Esc');
  });

  test('K on a host’s page shows refused locks, and they become a finding', async () => {
    await session.type(':host node3');
    await session.keys('Enter');
    await session.until('not asked yet: asked on demand only');
    await session.keys('K');
    await session.until(/lockd: lockd: cannot monitor nfs2/);
    await session.keys('Esc', '0', '/');
    await session.type('refused');
    await session.keys('Enter');
    await session.until(/node3: NFS locks refused, last at .*\d\d:\d\d/);
    await session.keys('/', 'Esc');
  });

  test(':job and :user lead to nodes and to what hurts them', async () => {
    // Until the controller told who runs where, the page says that it is not known.
    for (let tries = 0; tries < 20 && !/What is wrong there/.test(session.screen()); tries++) {
      if (tries > 0) await session.keys('Esc');
      await session.type(':user astro1');
      await session.keys('Enter');
      await session.until(/What is wrong there|not known \(yet\)/);
    }
    expect(session.screen()).toMatch(/What is wrong there/);
    const job = /^ +node\d+ +(\d+)/m.exec(session.screen())?.[1] ?? '';
    expect(job).toMatch(/^\d+$/);
    await session.keys('Esc');
    await session.type(`:job ${job}`);
    await session.keys('Enter');
    await session.until(new RegExp(`${job} +astro1`));
    await session.keys('Esc');
  });
});
