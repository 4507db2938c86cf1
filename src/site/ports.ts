/** Long interface names as devices print them, and the short form operators say. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/^(?:fastethernet|fa)$/, 'fa'],
  [/^(?:gigabitethernet|gigabiteth|gige?|gi|ge)$/, 'gi'],
  [/^(?:twodotfivegigabitethernet|tw)$/, 'tw'],
  [/^(?:tengigabitethernet|tengige|tengig|ten|te|xgigabitethernet|xge)$/, 'te'],
  [/^(?:twentyfivegige|twentyfivegigabitethernet|twe|tf)$/, 'twe'],
  [/^(?:fortygige|fortygigabitethernet|fo)$/, 'fo'],
  [/^(?:hundredgige|hundredgigabitethernet|hundredgig|hu)$/, 'hu'],
  [/^(?:ethernet|eth|et)$/, 'eth'],
  [/^(?:port-channel|portchannel|po|lag|bundle-ether|be)$/, 'po'],
  [/^(?:management|mgmt|ma)$/, 'ma'],
];

/**
 * The canonical name of a port: `Te 3/46`, `TenGigabitEthernet3/46`, `te3/46` are `te3/46`. Names that are not a word and
 * a number (`et-0/0/1`, `swp3s0`) are only lower case without blanks. Undefined for text that no port name holds.
 */
export const canonicalPort = (text: string): string | undefined => {
  const plain = text.trim().toLowerCase().replace(/\s+/g, '');
  if (!/^[a-z0-9][a-z0-9._/:-]{0,63}$/.test(plain)) return undefined;
  const match = /^([a-z-]*[a-z])(\d[\d/.:]*)$/.exec(plain);
  const kind = kinds.find(([pattern]) => pattern.test(match?.[1] ?? ''))?.[1];
  return kind === undefined ? plain : `${kind}${match?.[2] ?? ''}`;
};
