import type { State } from '../../store/state-file.js'

/** A state as the text of a file that people read and compare. */
export const stateText = (state: State): string => `${JSON.stringify(state, null, 2)}\n`
