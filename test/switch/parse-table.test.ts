import { describe, expect, it } from 'vitest';
import { cellsOf, ruledTables, stackedColumns, titledColumns } from '../../probes/switch/read/parse-table.ts';

describe('columns', () => {
  it('of a ruler carry the words stacked above them', () => {
    const [table] = ruledTables(
      [
        '          Optical   Optical',
        'Port      Tx Power  Rx Power',
        '-----     --------  --------',
        'Et1         -0.50     N/A',
      ],
      /^Port/,
      2,
    );
    expect(table?.columns.map((column) => column.title)).toEqual([
      'port',
      'optical tx power',
      'optical rx power',
    ]);
    expect(table && cellsOf(table.rows[0] ?? '', table.columns)).toEqual(['Et1', '-0.50', 'N/A']);
  });

  it('of titles alone go by the gaps that all header lines share', () => {
    const columns = stackedColumns(['Config    Current    Agg', 'Master    Master     Control']);
    expect(columns.map((column) => column.title)).toEqual(['config master', 'current master', 'agg control']);
  });

  it('can be told by their titles where single blanks part them', () => {
    const columns = titledColumns('Local Interface Chassis ID      Port ID', [
      'Port ID',
      'Chassis ID',
      'Local Interface',
    ]);
    expect(columns.map((column) => column.from)).toEqual([0, 16, 32]);
  });
});

describe('cells', () => {
  const columns = stackedColumns(['Interface     Total (pkts)   Err (pkts)']);

  it('may be wider than their title on its left', () => {
    expect(cellsOf('XGE1/0/49   99999999999999            7', columns)).toEqual([
      'XGE1/0/49',
      '99999999999999',
      '7',
    ]);
  });

  it('are empty where a row is short', () => {
    expect(cellsOf('XGE1/0/50', columns)).toEqual(['XGE1/0/50', '', '']);
  });
});

it('a table ends where the next header begins, without the lines of that header', () => {
  const tables = ruledTables(['Port  A', '----  -', 'e1    1', 'Port  B', '----  -', 'e1    2'], /^Port/);
  expect(tables.map((table) => table.rows)).toEqual([['e1    1'], ['e1    2']]);
});
