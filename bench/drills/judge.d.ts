/** What did not hold, in words; empty if everything did. */
export function judge(
  drill: { limits: Record<string, number>; isExpected?: (outcome: string) => boolean; isBusy?: boolean },
  result: { faults: string[]; others: Record<string, number>; [figure: string]: unknown },
): string[]
