// Without the schemas of state files, which the page does not need.

import type { StateKind } from '../src/store/state-file.js'

export type { StateKind, StateRecord } from '../src/store/state-file.js'
export const stateKinds: StateKind[] = ['projects', 'teams', 'users', 'sessions', 'waitlist']
