import type { Kind } from './kind.ts';
import { isTooBusy, saidOf, start } from './program.ts';
import { chanceOf, inTurn } from './random.ts';
import { happened, judgeShut, newShut, quiet, SHUTTABLE, startShut, type Port } from './switch-shut.ts';
import type { SwitchWorld } from './switch-world.ts';

/** So many members of the LAG are suspended that the last working ones must not go. */
export const suspended: Kind<SwitchWorld> = {
  name: 'suspended',
  about: 'members that LACP suspended do not count as working ones',
  short: 2,
  long: 10,
  lane: (seed) => inTurn(SHUTTABLE, seed).device,
  try: async (world, seed) => {
    const at = inTurn(SHUTTABLE, seed);
    await quiet(world, at);
    const least = Math.min(at.others.length, 2);
    const chosen = at.others.slice(0, chanceOf(seed).whole(least, at.others.length));
    for (const port of chosen) await world.ask(`P["${at.device}"]["${port}"].suspended = True`);
    const shut = await newShut(world, at);
    shut.claim = await startShut(shut, '--keep-if-verified').ended;
    const what = `${at.target} with ${chosen.length} of ${at.others.length + 1} suspended: ${shut.claim.said?.outcome ?? 'killed'}`;
    if (isTooBusy(shut.claim)) return { what, broke: [], untried: saidOf(shut.claim) };
    const broke = await judgeShut(world, shut);
    const events = await happened(world, shut);
    if (events.length > 0) broke.push(`it was shut: ${saidOf(shut.claim)}`);
    else if (!/^6 .*(member|min)/.test(shut.claim.said?.refused?.guard ?? ''))
      broke.push(
        `it was refused for another reason (${shut.claim.said?.refused?.guard}): ${saidOf(shut.claim)}`,
      );
    const status = await start(['status', '--json', '--system', 'switch'], { env: shut.home.env }).ended;
    const about = chosen.filter(
      (port) => !findingsOf(status.stdout).some((text) => mentions(text, at, port)),
    );
    if (about.length > 0) broke.push(`no finding tells of ${about.join(', ')}`);
    await quiet(world, at);
    return { what, broke };
  },
};

const findingsOf = (text: string): string[] => {
  const { findings } = JSON.parse(text) as { findings: readonly unknown[] };
  return findings.map((one) => JSON.stringify(one).toLowerCase());
};

/** A finding of the device that names the port, however it is written, and says suspended or not selected. */
const mentions = (finding: string, { device }: Port, port: string): boolean => {
  const number = port.replace(/^[A-Za-z]+/, '');
  return (
    finding.includes(device) &&
    new RegExp(`[a-z] ?${number.replaceAll('/', '\\/')}(?![\\d/])`).test(finding) &&
    /suspend|not (selected|bundled|active)|deselected|out of|carr/.test(finding)
  );
};
