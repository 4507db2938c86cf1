/** What stands in a cell of a document: absent cells have no key at all. */
export type Value =
  string | number | bigint | readonly string[] | Thresholds | Readonly<Record<string, bigint>>;

/** Counters of one port by their names in docs/formats.md (`rxCrc`), beside its states as the device printed them. */
export type PortRow = { readonly port: string } & Readonly<Record<string, Value>>;

/** One local member of a LAG; a LAG without members is one row without `member`. */
export interface LagRow {
  /** Missing where the output does not name it. */
  readonly lag?: string;
  readonly protocol?: string;
  readonly lagState?: string;
  readonly member?: string;
  readonly memberState?: string;
}

/** What LLDP says about one neighbour. `localPort` is missing where the device does not print it. */
export interface NeighborRow {
  readonly localPort?: string;
  readonly neighbor?: string;
  readonly neighborPort?: string;
  readonly neighborPortId?: string;
  readonly neighborPortDesc?: string;
  readonly chassisId?: string;
}

/** The module's own limits of one reading. */
export interface Limits {
  readonly alarmHigh?: number;
  readonly warnHigh?: number;
  readonly warnLow?: number;
  readonly alarmLow?: number;
}

export const readingNames = ['tempC', 'voltageV', 'biasMa', 'txDbm', 'rxDbm', 'txMw', 'rxMw'] as const;

/** A reading of an optical module: degrees Celsius, volts, milliamperes, dBm or milliwatts as printed. */
export type ReadingName = (typeof readingNames)[number];

export type Thresholds = Readonly<Partial<Record<ReadingName, Limits>>>;

/** One lane of a module; `lane` counts from 1 and is missing for modules without lanes. */
export type OpticRow = Readonly<Partial<Record<ReadingName, number>>> & {
  /** Missing where the output does not name it. */
  readonly port?: string;
  readonly lane?: number;
  readonly thresholds?: Thresholds;
};

/** What one reader made of a capture. */
export interface Parsed<Row> {
  readonly rows: readonly Row[];
  /** Lines or records that look like content and were not understood. */
  readonly notUnderstood?: number;
}

/** The same without its undefined values: an absent cell has no key. */
export const dropAbsent = <T extends object>(row: { [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as T;
