const parts = /^(.+)-((?:OST|MDT)([0-9a-f]{4,}))$/i;

/** `scratch` of `scratch-OST001e`; what is no target's name is given back. */
export const fsOf = (target: string): string => parts.exec(target)?.[1] ?? target;

/** `1e`: the hexadecimal index without the padding. */
export const shortOf = (target: string): string =>
  (parts.exec(target)?.[3] ?? target).replace(/^0+(?=[0-9a-f]{2})/i, '');

/** 30 of `scratch-OST001e`. */
export const indexOf = (target: string): number => Number.parseInt(parts.exec(target)?.[3] ?? '', 16);
