/** `1,204`: thousands grouped, for integers of any size. */
export const groupThousands = (value: number | bigint): string => {
  const [whole = '', fraction] = String(value).split('.');
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? text : `${text}.${fraction}`;
};

/** `5.7 %` from a share 0..1; one decimal below ten. Never `0 %` for something nor `100 %` for not quite all. */
export const percent = (share: number): string => {
  const value = share * 100;
  if (value > 0 && value < 0.05) return '<0.1 %';
  if (value >= 99.5 && value < 100) return '>99 %';
  return `${value !== 0 && Math.abs(value) < 9.95 ? value.toFixed(1) : Math.round(value)} %`;
};

/** `1 node`, `17 nodes`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${groupThousands(number)} ${number === 1 ? one : many}`;
