import type { State } from '../../store/state-file.js'

/** Formats a state as a file that people can read and compare. */
export const stateText = (state: State): string => `${JSON.stringify(state, null, 2)}\n`
