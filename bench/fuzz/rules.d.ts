export function brokenRule(
  response: { status: number; type: string; text: string },
  isHead: boolean,
  codes: ReadonlySet<string>,
): string | undefined
