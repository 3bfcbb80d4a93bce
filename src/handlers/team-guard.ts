import type { TeamLimits, TeamSize } from '../contract/limits.js'
import type { Store } from '../store/store.js'
import { fail, type TeamGuard } from './handler.js'

/** The writes of a team between their check and their end. */
type Pending = TeamSize & { writes: number; ended: Promise<unknown> }

/**
 * Creates a guard. Concurrent writes of a team are counted together, so that they cannot exceed a limit that each of
 * them alone would keep. A write waits for the ones before it only if it does not fit beside them.
 */
export function createTeamGuard(store: Pick<Store, 'teamSize'>, limits: TeamLimits): TeamGuard {
  const teams = new Map<string, Pending>()

  const exceeded = async (teamId: string, added: TeamSize): Promise<string | undefined> => {
    const size = await store.teamSize(teamId)
    if (added.projects > 0 && size.projects + added.projects > limits.projects) {
      return `A team can have at most ${limits.projects} projects.`
    }
    if (added.bytes > 0 && size.bytes + added.bytes > limits.bytes) {
      return `The projects of a team can have at most ${limits.bytes} bytes of text.`
    }
    return undefined
  }

  return async (teamId, most, exact, write) => {
    const pending = teams.get(teamId) ?? { projects: 0, bytes: 0, writes: 0, ended: Promise.resolve() }
    teams.set(teamId, pending)
    const together = { projects: pending.projects + most.projects, bytes: pending.bytes + most.bytes }
    const earlier = pending.ended
    let end = () => {}
    const own = new Promise<void>((resolve) => {
      end = resolve
    })
    pending.ended = earlier.then(() => own)
    pending.writes += 1
    pending.projects += most.projects
    pending.bytes += most.bytes
    try {
      if (await exceeded(teamId, together)) {
        await earlier
        const message = await exceeded(teamId, await exact())
        if (message) return refuse(message)
      }
      return await write()
    } finally {
      end()
      pending.writes -= 1
      pending.projects -= most.projects
      pending.bytes -= most.bytes
      if (pending.writes === 0) teams.delete(teamId)
    }
  }
}

const refuse = (message: string) =>
  fail('VALIDATION_FAILED', { details: { formErrors: [message], fieldErrors: {} } })
