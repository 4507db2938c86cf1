import * as z from 'zod';
import type { Action } from '../../../src/model/action.ts';
import { refusal } from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import { systemOf } from './targets.ts';
import { clientFor, verifyStarted, startStep } from './task-script.ts';
import { isOver, taskOf } from '../judge/tasks.ts';
import { progressOf } from '../judge/progress.ts';

const fidParameters = z.object({
  fid: z
    .string()
    .trim()
    .regex(/^\[?0x[0-9a-f]{1,16}:0x[0-9a-f]{1,8}:0x[0-9a-f]{1,8}\]?$/i, {
      error: 'a FID like [0x200000401:0x5:0x0]',
    }),
});

/** Which file is this FID: asked on a client, the answer kept as a task's result. */
export const nameFidAction: Action<z.infer<typeof fidParameters>> = {
  id: 'lustre.name-fid',
  verb: 'name-fid',
  title: 'name the file of a FID',
  subject: 'volume',
  danger: 'reversible',
  users: 'nothing: one question to the MDS',
  parameters: fidParameters,
  prompts: [{ name: 'fid', label: 'FID, like [0x200000401:0x5:0x0]', required: true }],
  menu: {
    note: ({ targets }) => targets[0]?.steps[0]?.host ?? '',
    // Any will do: which file it is does not matter before it is asked.
    tryWith: () => [{ fid: '[0x200000401:0x1:0x0]' }],
  },
  plan: (subjects, given, { judgement }) => {
    const [only] = subjects;
    const client =
      only && subjects.length === 1 && systemOf(only.id, judgement)
        ? clientFor(only.id, judgement)
        : undefined;
    if (!only || !client)
      return refusal(
        '3 preconditions',
        'not exactly one Lustre file system that is mounted on a client and answers lfs df',
      );
    const fid = `[${given.fid.replace(/[[\]]/g, '').toLowerCase()}]`;
    return planOf(nameFidAction, {
      title: `Name ${fid} in ${only.id}`,
      targets: [
        {
          subject: only,
          steps: [startStep(judgement.site, client, 'fid', fid)],
          guards: [],
          whyAlreadyDone: () => undefined,
          verify: {
            ...verifyStarted('fid', fid, client.host),
            text: 'its state file holds the name',
            check: (live) => {
              const task = taskOf('fid', fid, live);
              if (!task || !isOver(task)) return { state: 'wait', text: 'not answered yet' };
              return { state: task.state === 'done' ? 'yes' : 'no', text: progressOf(task, live.now) };
            },
          },
          undo: null,
          lockGroups: [],
        },
      ],
      because: ['lfs fid2path reads only'],
      afterwards: 'the name stands in the result',
      undoText: 'nothing is changed',
      parameters: { ...given },
    });
  },
};
