/** The reading that a line of evidence rests on, by its words: counters, unless it speaks of light or of pings. */
export const restsOn = (evidence: string): 'counters' | 'optics' | 'matrix' => {
  if (/^(?:light is fine|[TR]X power at |lane \S+: )/.test(evidence)) return 'optics';
  return /^\d+ of \d+ jumbo paths /.test(evidence) ? 'matrix' : 'counters';
};
