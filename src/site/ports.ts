/**
 * Kinds of ports as makes print them, in full and in short, and the short form that operators say. From the interface naming chapters of
 * Cisco (IOS, XR, NX-OS), Dell (FTOS, OS10), Arista, HPE Comware, Huawei VRP, Brocade/Ruckus and NVIDIA Onyx. A kind that is not here
 * keeps its own name.
 */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/^(?:fastethernet|fa)$/, 'fa'],
  [/^(?:gigabitethernet|gigabiteth|gige?|gi|ge)$/, 'gi'],
  [
    /^(?:two(?:dot|point)?five(?:gigabitethernet|gige)|twogigabitethernet|2\.5ge|2\.5gigabitethernet|tw)$/,
    'tw',
  ],
  [/^(?:fivegigabitethernet|5gigabitethernet|5ge|fi)$/, 'fiv'],
  [
    /^(?:ten-?gigabitethernet|tengigabiteth|tengige|tengig|ten|te|x-?gigabitethernet|xge|10ge|10gige|10gigabitethernet)$/,
    'te',
  ],
  [/^(?:twenty-?five-?(?:gigabitethernet|gige)|25ge|25gigabitethernet|wge|twe|tf)$/, 'twe'],
  [/^(?:forty-?(?:gigabitethernet|gige|gig)|40ge|40gigabitethernet|fge|fo)$/, 'fo'],
  [/^(?:fifty-?(?:gigabitethernet|gige|gig)|50ge|50gigabitethernet|fif)$/, 'fif'],
  [/^(?:hundred-?(?:gigabitethernet|gige|gig)|100ge|100gigabitethernet|hge|hu)$/, 'hu'],
  [/^(?:two-?hundred-?(?:gigabitethernet|gige|gig)|200ge|thge)$/, 'th'],
  [/^(?:four-?hundred-?(?:gigabitethernet|gige|gig)|400ge|fhge|fh)$/, 'fh'],
  [/^(?:ethernet|eth|et)$/, 'eth'],
  [/^(?:port-channel|portchannel|po|lag|bundle-ether|be|eth-trunk|bridge-aggregation|bagg)$/, 'po'],
  // Comware's numbers of layer 3 LAGs are their own: Bridge-Aggregation 1 and Route-Aggregation 1 are two.
  [/^(?:route-aggregation|ragg)$/, 'ragg'],
  [/^(?:management|managementethernet|mgmt|ma|meth|m-gigabitethernet|m-ethernet|mge)$/, 'ma'],
];

/** Characters of the longest text that may be a port, blanks and a LAG behind it included. */
const LONGEST = 200;

/** `Eth1/11 (Po21)`: Onyx names the LAG behind the port. */
const behind = /\s*\((?:po|mpo|lag|port-channel)\s?[\d/]+\)$/i;

/**
 * The canonical name of a port: `Te 3/46`, `TenGigabitEthernet3/46`, `te3/46` are `te3/46`. Names that are not a word and
 * a number (`et-0/0/1`, `swp3s0`) are only lower case without blanks. Undefined for text that no port name holds.
 */
export const canonicalPort = (text: string): string | undefined => {
  if (text.length > LONGEST) return undefined;
  const plain = text.trim().replace(behind, '').toLowerCase().replace(/\s+/g, '');
  if (!/^[a-z0-9][a-z0-9._/:-]{0,63}$/.test(plain)) return undefined;
  // The kind may begin with its speed: Huawei's `10GE1/0/1`, FastIron's `10GigabitEthernet1/2/1`.
  const match = /^((?:\d{1,3}(?:\.5)?g)?[a-z-]*[a-z])(\d[\d/.:]*)$/.exec(plain);
  const kind = kinds.find(([pattern]) => pattern.test(match?.[1] ?? ''))?.[1];
  return kind === undefined ? plain : `${kind}${match?.[2] ?? ''}`;
};
