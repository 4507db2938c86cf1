/** A reader of lines that name a LAG, and below it perhaps how many members it needs; `unset`: when none says so. */
export const minLinksBelow =
  (head: RegExp, setting: RegExp, unset?: number) =>
  (text: string): ReadonlyMap<string, number> => {
    const found = new Map<string, number>();
    let lag: string | undefined;
    for (const line of text.split('\n')) {
      const named = head.exec(line)?.[1];
      if (named !== undefined) {
        lag = /^\d/.test(named) ? `po${named}` : named;
        if (unset !== undefined && !found.has(lag)) found.set(lag, unset);
      }
      const min = setting.exec(line)?.[1];
      if (lag !== undefined && min !== undefined) found.set(lag, Number(min));
    }
    return found;
  };
