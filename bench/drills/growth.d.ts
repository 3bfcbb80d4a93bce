export function growth<Name extends string>(
  samples: readonly ({ at: number } & Record<Name, number>)[],
  name: Name,
): { first: number; last: number }
