import type { ControlOutput } from '../../mock/controls/control-endpoints.js'
import { type Call, lastFailure } from './read-log.js'

/** The mock at a glance, for an agent that begins: what serves it, what is in force, and what failed last. */
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
