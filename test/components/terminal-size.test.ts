import { expect, it } from 'vitest';
import { sizeOf } from '../../components/drawing.ts';

it('a terminal that does not know its size has that of a VT100, one that claims too much has a bound', () => {
  expect(sizeOf({})).toEqual({ columns: 80, rows: 24 });
  expect(sizeOf({ columns: 0, rows: 0 })).toEqual({ columns: 80, rows: 24 });
  expect(sizeOf({ columns: 65_535, rows: 65_535 })).toEqual({ columns: 1000, rows: 500 });
  expect(sizeOf({ columns: 3, rows: 1 })).toEqual({ columns: 3, rows: 1 });
});
