import type { ControlOutput } from '../../mock/controls/control-endpoints.js'
import { type Call, lastFailure } from './read-log.js'

/** Reads what an agent needs first: the server and its files, the settings in force, and the last failed request. */
export async function overview(call: Call) {
  const names = ['about', 'sessions', 'scenarios', 'delay', 'chaos', 'clock', 'snapshots', 'history'] as const
  const [failure, ...parts] = await Promise.all([lastFailure(call), ...names.map((name) => call(name))])
  const { about, sessions, ...others } = Object.fromEntries(names.map((name, i) => [name, parts[i]]))
  const { sessions: personas, ...current } = sessions as ControlOutput<'sessions'>
  return {
    ...(about as ControlOutput<'about'>),
    lastFailure: failure,
    personas: { ...current, all: personas.map(({ id }) => id) },
    ...others,
  }
}
