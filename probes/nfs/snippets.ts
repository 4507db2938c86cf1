const KEYS = 'ex=00:su=00:sg=00:ca=00';

const head = `# Written by faultline: no colours for which ls must look at each entry (executables, setuid, setgid, capabilities).
# Files of this folder are read in the order of their names, so this one comes last.
`;

/**
 * The files that take the colours off, one for each family of shells. Byte for byte: a file that differs is somebody else's.
 * What remains coloured comes with readdir (coreutils, ls.c: `format_needs_stat`, `is_colored`).
 */
export const snippets = {
  sh: {
    path: '/etc/profile.d/zz-faultline-ls-colors.sh',
    text: `${head}LS_COLORS="\${LS_COLORS:+$LS_COLORS:}${KEYS}"
export LS_COLORS
`,
  },
  csh: {
    path: '/etc/profile.d/zz-faultline-ls-colors.csh',
    text: `${head}if ( $?LS_COLORS ) then
  setenv LS_COLORS "\${LS_COLORS}:${KEYS}"
else
  setenv LS_COLORS "${KEYS}"
endif
`,
  },
} as const;
