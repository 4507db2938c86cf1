import { userInfo } from 'node:os';

/** The operator as audit log, locks and notes name him: the login name, with what no name holds replaced. */
export const whoami = (): { name: string; uid: number } => {
  const uid = process.getuid?.() ?? 0;
  try {
    return { name: userInfo().username.replace(/[^A-Za-z0-9._-]/g, '_') || `uid${uid}`, uid };
  } catch {
    // An account without a name: a container, a directory service that does not answer.
    return { name: `uid${uid}`, uid };
  }
};
