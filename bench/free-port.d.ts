/** A port of loopback on which nothing listens. */
export function freePort(): Promise<number>
