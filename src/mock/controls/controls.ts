import type { SessionRecord } from '../../store/state-file.js'
import type { LoggedParts } from '../log/log-parts.js'
import type { Step } from '../state/history.js'
import type { NewPersona } from '../state/new-records.js'
import { createCallControls } from './call-controls.js'
import { viewOf } from './control-words.js'
import { createDataControls } from './data-controls.js'
import { createForcingControls } from './forcing-controls.js'
import { createLogControls } from './log-controls.js'
import { createPersonaControls } from './persona-controls.js'
import { type Composition, createRecorder } from './recorder.js'
import { createStateControls } from './state-controls.js'
import { createStepControls } from './step-controls.js'
import { createTimingControls } from './timing-controls.js'

/**
 * Controls a running mock. Every interface (HTTP, CLI, terminal, page, in process) uses these calls. An invalid call throws a
 * `ControlError` with the valid values, and changes nothing.
 */
export type Controls = ReturnType<typeof createControls>

/** @param onStep called with each recorded step, in the turn of the change */
export function createControls(
  parts: LoggedParts,
  composition: Composition,
  onStep: (step: Step) => void = () => {},
) {
  const recorder = createRecorder(parts, composition, viewOf, onStep)
  return {
    sessions: createPersonaControls(recorder),
    data: createDataControls(recorder),
    ...createForcingControls(recorder),
    ...createTimingControls(recorder),
    ...createStateControls(recorder),
    ...createStepControls(recorder),
    ...createCallControls(recorder),
    log: createLogControls(recorder),
    /** Calls the listener after each change by a control. Returns a function that unsubscribes. */
    onChange(listener: () => void): () => void {
      const guarded = () => void parts.guard(listener)
      parts.listeners.add(guarded)
      return () => parts.listeners.delete(guarded)
    },
  }
}

/** The session of mocks that answer the requests of one page or process. */
export type SessionControls = {
  list(): Promise<SessionRecord[]>
  /** The persona that `session=active` stands for. */
  current(): Promise<SessionRecord | undefined>
  /** Signs in as this persona: the page, or in Node every request without its own Cookie header. */
  use(id: string): Promise<SessionRecord>
  /** Adds a persona with its user, and with its team if the organisation has none. See `Controls`. */
  add(persona: NewPersona): Promise<SessionRecord>
  /** Removes a persona, and its user if no other persona has that user. */
  remove(id: string): Promise<void>
  signOut(): void
}
