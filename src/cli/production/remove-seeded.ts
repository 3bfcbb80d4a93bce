import type { State } from '../../store/state-file.js'
import { printMessage, show } from '../output/output.js'
import { pluralize } from '../output/pluralize.js'
import { confirmRemoval } from './confirm-removal.js'

type Options = { database?: string; json?: boolean; yes?: boolean }

/**
 * Removes the teams and users of a state file from a database, with everything that belongs to them.
 * @param from where the state comes from, for messages
 */
export async function removeSeeded({ json, ...options }: Options, state: State, from: string): Promise<void> {
  const { subject, removed } = await confirmRemoval(options, async (store, name) => {
    const found = await Promise.all(state.teams.map(({ id }) => store.team(id)))
    // A team of another organisation only happens to have the id.
    const teams = state.teams.filter(({ orgCode }, i) => found[i]?.orgCode === orgCode)
    const known = await Promise.all(state.users.map(({ id }) => store.user(id)))
    const users = state.users.filter((_, i) => known[i] !== undefined)
    const sizes = await Promise.all(teams.map(({ id }) => store.teamSize(id)))
    const projects = sizes.reduce((sum, size) => sum + size.projects, 0)
    const what = `${pluralize(teams.length, 'team')} with ${pluralize(projects, 'project')} and ${pluralize(users.length, 'user')}`
    return {
      subject: name,
      removal: { teams: teams.map(({ id }) => id), users: users.map(({ id }) => id) },
      question: `This removes the ${what} of ${from} from ${name} for good, and ends their sessions.`,
    }
  })
  printMessage(`Removed what was seeded from ${from}.`)
  const lines = Object.entries(removed).map(([kind, count]) => `${kind}\t${count}`)
  await show({ data: { database: subject, from, removed }, lines: ['Kind\tRemoved', ...lines] }, json)
}
