import type { State } from '../../store/state-file.js'

/** Formats a state as a readable file. */
export const stateText = (state: State): string => `${JSON.stringify(state, null, 2)}\n`
