import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { mapOf, mapsOf, readLooseJson, textIn, type JsonMap } from './json.ts';
import { closeReport, hasRows, openReport, type OpenReport, type RaidReport } from './raid.ts';
import { takeStorcliRows } from './storcli-rows.ts';
import { textReports } from './storcli-text.ts';
import { errorOfMessage, messagesOf, wholeNumber, type ReportedError } from './words.ts';

/** `Status = Failure` with its most exact reason: `ErrMsg` of what failed first, else the description. */
const failureOf = (status: JsonMap): ReportedError | undefined => {
  const detailed = mapsOf(status['Detailed Status']).filter((row) => !isSuccess(row));
  const message = detailed.map((row) => textIn(row, 'ErrMsg')).find((text) => text !== undefined);
  if (isSuccess(status)) return undefined;
  const said = message ?? textIn(status, 'Description') ?? textIn(status, 'Status') ?? 'failed';
  return errorOfMessage(said === 'None' ? 'failed, and no reason is given' : said);
};

const isSuccess = (row: JsonMap): boolean => textIn(row, 'Status') === 'Success';

const takeController = (report: OpenReport, id: number, data: JsonMap): void => {
  const [basics, version, status] = ['Basics', 'Version', 'Status'].map((key) => mapOf(data[key]));
  const model = textIn(basics ?? {}, 'Model') ?? textIn(data, 'Product Name');
  if (model === undefined) return;
  const count = (key: string): number | undefined => wholeNumber(textIn(status ?? {}, key));
  report.controllers.push({
    id,
    ...dropUndefined({
      model,
      serial: textIn(basics ?? {}, 'Serial Number') ?? textIn(data, 'Serial Number'),
      firmware:
        textIn(version ?? {}, 'Firmware Version') ??
        textIn(data, 'FW Version') ??
        textIn(data, 'Firmware Version'),
      status: textIn(status ?? {}, 'Controller Status'),
      memoryCorrectable: count('Memory Correctable Errors'),
      memoryUncorrectable: count('Memory Uncorrectable Errors'),
    }),
  });
};

/** `storcli show`: all controllers in one table, each with the word of its health; host bus adapters stand in a table of their own, without one. */
const takeOverview = (report: OpenReport, data: JsonMap): void => {
  const rows = ['System Overview', 'IT System Overview'].flatMap((name) => mapsOf(data[name]));
  for (const row of rows) {
    // The second edition has other titles.
    const id = wholeNumber(textIn(row, 'Ctl') ?? textIn(row, 'Ctrl'));
    if (id === undefined) continue;
    const known = dropUndefined({
      model: textIn(row, 'Model') ?? textIn(row, 'Product Name'),
      serial: textIn(row, 'SerialNumber'),
      health: textIn(row, 'Hlth'),
      status: textIn(row, 'Status'),
    });
    report.controllers.push({ id, ...known });
  }
};

const rowsIn = (report: OpenReport): number =>
  Object.values(report).reduce((sum, rows) => sum + rows.length, 0);

const readReports = (reports: readonly JsonMap[]): RaidReport => {
  const report = openReport();
  let error: ReportedError | undefined;
  const unread: string[] = [];
  for (const one of reports) {
    const status = mapOf(one['Command Status']);
    const data = mapOf(one['Response Data']);
    const failure = failureOf(status);
    error ??= failure;
    const id = wholeNumber(textIn(status, 'Controller') ?? textIn(mapOf(data['Basics']), 'Controller'));
    takeOverview(report, data);
    if (id === undefined) continue;
    const before = rowsIn(report);
    takeController(report, id, data);
    takeStorcliRows(report, id, data);
    if (failure && rowsIn(report) === before) unread.push(`controller ${id}: ${failure.message}`);
  }
  const isPart = unread.length > 0 && hasRows(report);
  return { ...closeReport(report, error), ...(isPart && { unread }) };
};

/** Reads storcli and perccli, as JSON (`J`) and as text, of one controller or all. */
export const parseStorcli = ({ stdout, stderr }: ParseInput): RaidReport => {
  const start = stdout.indexOf('{');
  if (start >= 0 && stdout.includes('"Controllers"')) {
    const { value, duplicateKeys } = readLooseJson(stdout.slice(start));
    const read = readReports(mapsOf(mapOf(value)['Controllers']));
    return { ...read, ...(duplicateKeys.length > 0 && { duplicateKeys: [...duplicateKeys] }) };
  }
  const reports = textReports(stdout);
  if (reports.length > 0) return readReports(reports);
  const said = stdout.trim() === '' ? messagesOf(/^$/, stderr)[0] : undefined;
  if (said === undefined) throw new NotThisFormat('neither JSON nor a report of storcli');
  return { error: errorOfMessage(said) };
};
