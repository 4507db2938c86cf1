import { expect, test } from 'vitest';
import {
  aliveSchema,
  checkSchema,
  configSchema,
  jobsSchema,
  nodesSchema,
  partitionsSchema,
  pingSchema,
  reservationsSchema,
  sdiagSchema,
} from '../../probes/slurm/readings.ts';
import { codeOf, problemWith, valueRows, valuesIn } from '../helpers/judged-values.ts';

const values = [
  ...valuesIn('nodes', nodesSchema),
  ...valuesIn('ping', pingSchema),
  ...valuesIn('sdiag', sdiagSchema),
  ...valuesIn('jobs', jobsSchema),
  ...valuesIn('partitions', partitionsSchema),
  ...valuesIn('reservations', reservationsSchema),
  ...valuesIn('config', configSchema),
  ...valuesIn('check', checkSchema),
  ...valuesIn('alive', aliveSchema),
];

test('every value that Slurm is asked for is judged, shown or ignored on purpose, and the chapter says which', () => {
  const rows = valueRows('slurm').map(({ value }) => value);
  expect(values.length).toBeGreaterThan(50);
  expect(rows.toSorted()).toEqual(values.toSorted());
});

test('what the chapter says of a value is so', () => {
  const code = codeOf('slurm');
  expect(valueRows('slurm').flatMap((row) => problemWith(row, 'slurm', code) ?? [])).toEqual([]);
});
