const realNow = Date.now

/** A clock (ms since 1970) that runs `factor` times as fast from a time on. */
export const fastClock = (factor, start) => () => Math.round(start + (realNow() - start) * factor)
