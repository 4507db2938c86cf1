import type { HostView, SiteView } from '../../model/site.ts';
import type { System } from '../../model/system.ts';

/** What doctor looks for on one host: the needs of all its roles together. */
export interface Needs {
  commands: readonly string[];
  versions: readonly (readonly string[])[];
  root: boolean;
  /** The site's shared folder, when this host holds it. */
  folder?: string;
}

/** Every command that a probe sends is bounded by `timeout` (coreutils). */
const ALWAYS = ['timeout'];

/** The needs of a host: from its roles, as the systems declare them. */
export const needsOf = (host: HostView, systems: readonly System[], site: SiteView): Needs => {
  const needs = systems.flatMap(({ tools = {} }) =>
    host.roles.flatMap((role) => (Object.hasOwn(tools, role) ? (tools[role] ?? []) : [])),
  );
  const versions = needs.flatMap(({ version }) => (version ? [version] : []));
  return {
    commands: [...new Set([...ALWAYS, ...needs.flatMap(({ commands }) => commands)])],
    versions: [...new Map(versions.map((argv) => [argv.join('\0'), argv])).values()],
    root: needs.some(({ root }) => root === true),
    ...(site.shared?.host === host.name ? { folder: site.shared.dir } : {}),
  };
};
