import { passUnless, rereads, waitUnless } from '../../../src/kit/guards.ts';
import { planOf, noParameters, type NoParameters } from '../../../src/kit/offers.ts';
import type { Action, ActionSet, Plan } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { sourcesOf } from './index.ts';

const isMute = (host: string, live: Judgement): boolean =>
  sourcesOf(live).find((source) => source.host === host)?.good?.value.beeper === 'disabled';

const plan = (subjects: readonly Subject[]): Plan =>
  planOf(mute, {
    title: `Mute ${subjects.length} UPS`,
    targets: subjects.map((subject) => {
      const reads = rereads('ups.status', subject.id);
      const check = (live: Judgement) => waitUnless(isMute(subject.id, live), 'beeper');
      const known = (live: Judgement) => sourcesOf(live).some(({ host }) => host === subject.id);
      const guard = { id: '5 targets', text: 'it is a UPS', reads, absolute: true };
      return {
        subject,
        steps: [{ host: subject.id, argv: ['upscmd', 'mute'] }],
        guards: [{ ...guard, check: (live) => passUnless(known(live) ? undefined : 'no UPS', 'a UPS') }],
        whyAlreadyDone: (live) => (isMute(subject.id, live) ? 'mute' : undefined),
        verify: { text: 'it is mute', reads, deadlineMs: 10_000, check },
        undo: null,
        lockGroups: [],
      };
    }),
    because: ['it beeps'],
    afterwards: 'silence',
    undoText: 'by hand',
  });

const mute: Action<NoParameters> = {
  id: 'ups.mute',
  verb: 'mute',
  title: 'mute',
  subject: 'host',
  danger: 'reversible',
  users: 'nothing',
  parameters: noParameters,
  prompts: [],
  menu: { note: 'it beeps' },
  plan,
};

export const upsActions: ActionSet = { system: 'ups', actions: [mute] };
