import type { Command } from 'commander';
import { dropUndefined } from '../../kit/known.ts';
import type { CommandLine } from '../command-line.ts';
import { UsageError } from '../io.ts';
import { requireKnownWord, type AuditOptions } from '../options.ts';

type AuditFlags = Omit<AuditOptions, 'verb'>;

export const addAudit = ({ root, commands, after, start }: CommandLine): void => {
  root
    .command('audit')
    .description('the audit log: show it, verify it, hand it over, go on after damage')
    .argument('[verb]', 'show, verify, report or seal', 'show')
    .option('--site <file>', 'only this site')
    .option('--since <time>', '20:00, 2026-11-20T20:00 or 3h')
    .option('--file <file>', 'read this audit log instead of your own')
    .option('--reason <text>', 'seal: the reason, written into the new log')
    .option('--whole', 'seal: also seal a log that is whole', false)
    .option('--json', 'one JSON document', false)
    .addHelpText('after', after.audit)
    .action(async (verb: string, _: unknown, self: Command) => {
      const { site, since, file, json, reason, whole } = self.optsWithGlobals<AuditFlags>();
      const chosen = requireKnownWord('audit verb', verb, ['show', 'verify', 'report', 'seal']);
      if (chosen !== 'seal' && (reason !== undefined || whole))
        throw new UsageError(
          `--reason and --whole belong to "audit seal"; leave them out of "audit ${chosen}"`,
        );
      await start(commands.audit, {
        verb: chosen,
        ...dropUndefined({ site, since, file, reason }),
        json,
        ...(whole && { whole }),
      });
    });
};
