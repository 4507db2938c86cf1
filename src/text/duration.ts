const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  min: 60_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** `30s`, `5 min`, `1.5h`, `3d`, `500 ms` to ms; undefined when it is not a duration. A bare number is none: of what unit? */
export const durationMs = (text: string): number | undefined => {
  const match = /^(\d{1,9}(?:\.\d{1,3})?) ?(ms|s|min|m|h|d)$/.exec(text.trim());
  const unit = units[match?.[2] ?? ''];
  return match && unit !== undefined ? Math.round(Number(match[1]) * unit) : undefined;
};
