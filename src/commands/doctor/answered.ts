import type { SiteView } from '../../model/site.ts';
import { isPlain, makeSafe } from '../../text/safe.ts';
import { quote } from '../../text/shell.ts';
import { quoteHost, type Check } from './report.ts';
import { sshLine } from './mend.ts';
import type { Needs } from './needs.ts';
import type { Section } from './script.ts';

/** The host's answer broke off before this. */
const missingCheck = (name: Check['name']): Check => ({
  name,
  state: 'skipped',
  text: `${name}: the host gave no answer to this`,
});

/** As whom the connection logs in. */
export const loginCheck = (user: Section | undefined): Check => {
  if (!user || user.exitCode !== 0) return missingCheck('login');
  return { name: 'login', state: 'ok', text: `as ${makeSafe(user.text, 40)}` };
};

/** A command's first line, where that is all there is to say. */
export const checkFirstLine = (
  name: Check['name'],
  section: Section | undefined,
  host: string,
  what = name as string,
): Check => {
  const text = section?.text.split('\n')[0] ?? '';
  if (!section) return missingCheck(name);
  return section.exitCode === 0
    ? { name, state: 'ok', ...quoteHost(host, text, 80) }
    : { name, state: 'note', ...quoteHost(host, `${what} failed (exit ${section.exitCode}): ${text}`, 120) };
};

/** Whether every command that probes and actions of its roles need is on the fixed PATH. */
export const toolsCheck = (
  needs: Needs,
  sections: ReadonlyMap<string, Section>,
  host: string,
  site: SiteView,
): Check => {
  const states = needs.commands.map((name, at) => ({ name, section: sections.get(`tool${at}`) }));
  if (states.some(({ section }) => !section)) return missingCheck('tools');
  const absent = states.filter(({ section }) => section?.exitCode !== 0).map(({ name }) => name);
  if (absent.length === 0) return { name: 'tools', state: 'ok', text: `${needs.commands.join(', ')} found` };
  const mendLine = sshLine(site, host, `type ${absent.map(quote).join(' ')}`);
  return {
    name: 'tools',
    state: 'fail',
    text: `not on /usr/sbin:/usr/bin:/sbin:/bin: ${absent.join(', ')}`,
    mend: [`${mendLine}     where your own login finds it; link it into /usr/bin, or install its package`],
  };
};

/** Whether it may become root without a password, where its roles need that. */
export const rightsCheck = (
  needs: Needs,
  sections: ReadonlyMap<string, Section>,
  host: string,
  site: SiteView,
): Check => {
  const section = sections.get('sudo');
  if (!section) return missingCheck('rights');
  if (section.exitCode === 0) return { name: 'rights', state: 'ok', text: 'sudo -n works' };
  if (!needs.root) return { name: 'rights', state: 'ok', text: 'no sudo -n, none needed' };
  const user = (sections.get('user')?.text ?? '').trim();
  if (user === 'root') return { name: 'rights', state: 'ok', text: 'the login is root' };
  const who = isPlain(user) && /^[A-Za-z0-9._-]+$/.test(user) ? user : 'USER';
  return {
    name: 'rights',
    state: 'fail',
    ...quoteHost(host, `sudo -n does not work: ${section.text.split('\n')[0] ?? ''}`, 120),
    mend: [
      `${sshLine(site, host, 'sudo visudo -f /etc/sudoers.d/faultline', ['-t'])}     add the lines of faultline help rights, for ${who}`,
    ],
  };
};
