/** Compares two samples by ranks. */
export function compareSamples(a: number[], b: number[]): { z: number; right: number }
