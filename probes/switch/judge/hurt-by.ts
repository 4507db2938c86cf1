import type { FindingDraft } from '../../../src/model/finding.ts';
import type { SiteView } from '../../../src/model/site.ts';
import type { EndState } from './states.ts';

/**
 * Hosts at an end of a link, whose jobs wait for it or lose by it. Between two switches nobody knows whose traffic it is, so nobody is named;
 * nor is a host of which the site file says that it serves others: its own jobs are not what suffers.
 */
export const findHurt = (
  ends: readonly EndState[],
  site: SiteView,
): Partial<Pick<FindingDraft, 'hurt' | 'hurtOn'>> => {
  const hosts = ends.flatMap(({ end: { host } }) => {
    const known = host === undefined ? undefined : site.host(host);
    return known?.roles.includes('compute') ? [known.name] : [];
  });
  return hosts.length === 0 ? {} : { hurt: { nodes: hosts.length }, hurtOn: hosts };
};
