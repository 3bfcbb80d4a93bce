import { type Command, Option } from 'commander'
import { shellQuote } from '../../pages/shell-quote.js'
import type { Team } from '../../store/state-file.js'
import { yesOption } from '../options.js'
import type { Columns } from '../output/columns.js'
import { pluralize } from '../output/pluralize.js'
import { UserError } from '../user-error.js'
import { findTeam, listRecords, tableRows } from './find-records.js'
import { storeCommand } from './store-command.js'

const key = 'its organisation code or its id'

export const define = (group: Command) => {
  storeCommand(group, 'list', {
    about: 'List the teams, the last added first.',
    examples: ['', '--json'],
    read: (store) => ({
      table: {
        name: 'teams',
        columns,
        ...tableRows(listRecords(store, 'teams')),
        emptyText: 'There is no team.',
      },
    }),
  })

  storeCommand(group, 'show <team>', {
    about: 'Show a team, and the number of its projects by status.',
    args: [key],
    examples: ['org_acme'],
    async read(store, given, file) {
      const team = await findTeam(store, file, given.team)
      const projects: Record<string, number> = {}
      for (const { status } of (await store.listProjects(team.id)).projects) {
        projects[status] = (projects[status] ?? 0) + 1
      }
      const counts = Object.entries(projects).map(([status, count]) => `${count} ${status}`)
      return {
        data: { team, projects },
        fields: [
          ['Id', team.id],
          ['Name', team.name],
          ['Organisation', team.orgCode],
          ['Projects', counts.join(', ') || 'none'],
        ],
      }
    },
  })

  storeCommand(group, 'create <name>', {
    about: 'Create the team of an organisation, and print its id.',
    args: ['the name of the team'],
    options: [
      new Option('--organization <code>', 'the code in the sessions of its members').makeOptionMandatory(),
    ],
    examples: ['"Initech" --organization org_initech'],
    create: () => true,
    // Before a missing database is created.
    check: ({ name, organization }) => parseTeam({ id: 'new', name, orgCode: organization }),
    async write(store, { name, organization }, file) {
      const { newId } = await import('../../store/new-id.js')
      const team = await parseTeam({ id: newId(), name, orgCode: organization })
      if (!(await store.addTeam(team))) {
        throw new UserError(
          `The organisation "${team.orgCode}" has a team already.`,
          `"npx dashboard-api team show ${shellQuote(team.orgCode)} --database ${shellQuote(file)}" shows it; "team rename" renames it.`,
        )
      }
      const message = `Created the team ${team.name} of ${team.orgCode}.`
      return { message, data: { team }, lines: [team.id] }
    },
  })

  storeCommand(group, 'rename <team> <name>', {
    about: 'Rename a team; its id, its organisation and its projects stay.',
    args: [key, 'the new name'],
    examples: ['org_acme "Acme Rockets"'],
    async write(store, given, file) {
      const { id } = await parseTeam({ ...(await findTeam(store, file, given.team)), name: given.name })
      const team = (await store.renameTeam(id, given.name)) ?? (await findTeam(store, file, given.team))
      const message = `The team of ${team.orgCode} is named ${team.name} now.`
      return { message, data: { team }, lines: [team.id] }
    },
  })

  storeCommand(group, 'remove <team>', {
    about: 'Remove a team for good, with its projects and the sessions of its organisation.',
    args: [key],
    options: [yesOption()],
    examples: ['org_globex --yes'],
    async remove(store, given, file) {
      const team = await findTeam(store, file, given.team)
      const { projects } = await store.teamSize(team.id)
      const sessions = (await store.listSessions({ orgCode: team.orgCode })).length
      return {
        removal: { teams: [team.id] },
        question: `This removes the team ${team.name} of ${team.orgCode} for good, ${contentsText({ projects, sessions })}.`,
        done: (removed) => ({
          message: `Removed the team ${team.name}, ${contentsText(removed)}.`,
          data: { team, removed },
          lines: [team.id],
        }),
      }
    },
  })
}

const contentsText = ({ projects, sessions }: { projects: number; sessions: number }) =>
  `with ${pluralize(projects, 'project')} and ${pluralize(sessions, 'session')}`

const columns: Columns<Team> = {
  Organisation: 'orgCode',
  Name: { value: 'name', minWidth: 8 },
  Id: { value: 'id', style: 'dim' },
}

/** @throws UserError for a name or an organisation code that is empty, too long, or cannot be stored */
async function parseTeam(values: Team): Promise<Team> {
  const { Team } = await import('../../store/state-file.js')
  const parsed = Team.safeParse(values)
  if (parsed.success) return parsed.data
  const field = parsed.error.issues[0]?.path[0] === 'orgCode' ? 'organisation code' : 'name'
  throw new UserError(
    `The ${field} of a team needs at least one character, and only text that can be stored.`,
    'An organisation code has at most 255 characters.',
  )
}
