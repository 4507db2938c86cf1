import * as z from 'zod';
import type { Action } from '../../src/model/action.ts';
import { refusal } from '../../src/model/refusal.ts';
import { systemOf } from './action-targets.ts';
import { startStep } from './task-script.ts';
import { clientFor, started } from './task-start.ts';
import { isOver } from './host-task.ts';
import { progressOf } from './progress.ts';
import { taskOf } from './tasks.ts';

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
  parameters: fidParameters,
  prompts: [{ name: 'fid', label: 'FID, like [0x200000401:0x5:0x0]', required: true }],
  offer: (subjects, { judgement }) => {
    const [only] = subjects;
    const client =
      only && subjects.length === 1 && systemOf(only.id, judgement)
        ? clientFor(only.id, judgement)
        : undefined;
    return client
      ? { available: true, note: client.host }
      : { available: false, reason: 'not one Lustre file system that an answering client has mounted' };
  },
  plan: (subjects, given, { judgement }) => {
    const [only] = subjects;
    const client = only && subjects.length === 1 ? clientFor(only.id, judgement) : undefined;
    if (!only || !client)
      return refusal('3 preconditions', 'no client that has it mounted answers to lfs df');
    const fid = `[${given.fid.replace(/[[\]]/g, '').toLowerCase()}]`;
    return {
      action: 'lustre.name-fid',
      title: `Name ${fid} in ${only.id}`,
      verb: 'name-fid',
      danger: 'reversible',
      targets: [
        {
          subject: only,
          steps: [startStep(judgement.site, client, 'fid', fid)],
          guards: [],
          already: () => undefined,
          verify: {
            ...started('fid', fid, client.host),
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
      leftOut: [],
      because: ['lfs fid2path reads only'],
      afterwards: 'the name stands in the result',
      undoText: 'nothing is changed',
      parameters: { ...given },
      exceeded: [],
    };
  },
};
