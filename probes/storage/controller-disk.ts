import { dropUndefined } from '../../src/kit/known.ts';

/** A disk behind a controller: `c0 32:5`, HPE `c0 1I:1:5`; `id` is what the tool calls it. */
export interface ControllerDisk {
  controller: string;
  id: string;
  /** Absent where the tool names none. */
  enclosure?: string;
  slot: string;
}

/** storcli and MegaCli `32:5` or `:5`; ssacli port, box and bay, of which the first two are the enclosure. */
const key = /^c(\d{1,3}) (?:(\d{1,4})?:(\d{1,4})|(\d{1,2}[A-Z]:\d{1,3}):(\d{1,3}))$/;

export const controllerDisk = (text: string): ControllerDisk | undefined => {
  const [, controller, enclosure, slot, box, bay] = key.exec(text) ?? [];
  const place = slot ?? bay;
  return controller === undefined || place === undefined
    ? undefined
    : {
        controller,
        id: text.slice(text.indexOf(' ') + 1),
        slot: place,
        ...dropUndefined({ enclosure: enclosure ?? box }),
      };
};
