export function fastClock(factor: number, start: number): () => number
