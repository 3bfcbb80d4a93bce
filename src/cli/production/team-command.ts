import type { Command } from 'commander'
import type { Team } from '../../store/state-file.js'
import { databaseOptions, examples, jsonOption, settingOption, yesOption } from '../options.js'
import { printMessage, show, showRecord, showTable } from '../output/output.js'
import { pluralize } from '../output/pluralize.js'
import { printable } from '../output/printable.js'
import { UserError } from '../user-error.js'
import { confirmRemoval } from './confirm-removal.js'
import { findTeam } from './find-records.js'
import { readDatabase, withDatabase } from './open-database.js'

export const define = (team: Command) => {
  team
    .description(
      'Manage the teams of a database; a running server uses each change from the next request on.',
    )
    .addHelpText('after', examples('npx dashboard-api team list'))

  databaseOptions(team.command('list'))
    .description('List the teams in the order in which they were added.')
    .addHelpText('after', examples('npx dashboard-api team list', 'npx dashboard-api team list --json'))
    .action(async ({ database, json }) => {
      const teams = await readDatabase(database, (store) => store.listTeams())
      await showTable({ data: { teams }, columns, rows: teams, emptyText: 'There is no team.' }, json)
    })

  databaseOptions(team.command('show'))
    .description('Show a team, and the number of its projects by status.')
    .argument('<team>', 'its organisation code or its id')
    .addHelpText('after', examples('npx dashboard-api team show org_acme'))
    .action(async (key, { database, json }) => {
      const { team, statuses } = await readDatabase(database, async (store, file) => {
        const team = await findTeam(store, file, key)
        return { team, statuses: (await store.listProjects(team.id)).projects.map(({ status }) => status) }
      })
      const projects: Record<string, number> = {}
      for (const status of statuses) projects[status] = (projects[status] ?? 0) + 1
      const counts = Object.entries(projects).map(([status, count]) => `${count} ${status}`)
      await showRecord(
        {
          data: { team, projects },
          fields: [
            ['Id', team.id],
            ['Name', team.name],
            ['Organisation', team.orgCode],
            ['Projects', counts.join(', ') || 'none'],
          ],
        },
        json,
      )
    })

  team
    .command('create')
    .description('Create the team of an organisation, and print its id.')
    .argument('<name>', 'the name of the team')
    .requiredOption('--organization <code>', "the organisation code in its members' sessions")
    .addOption(settingOption('database', '<file>'))
    .addOption(jsonOption())
    .addHelpText('after', examples('npx dashboard-api team create "Initech" --organization org_initech'))
    .action(async (name, { organization, database, json }) => {
      const { v7: uuidV7 } = await import('uuid')
      const team = await parseTeam({ id: uuidV7(), name, orgCode: organization })
      await withDatabase(
        database,
        async (store, file) => {
          if (await store.addTeam(team)) return
          throw new UserError(
            `The organisation "${team.orgCode}" has a team already.`,
            `"npx dashboard-api team show ${team.orgCode} --database ${file}" shows it; "team rename" renames it.`,
          )
        },
        { create: true },
      )
      printMessage(`Created the team ${printable(team.name)} of ${printable(team.orgCode)}.`)
      await show({ data: { team }, lines: [team.id] }, json)
    })

  databaseOptions(team.command('rename'))
    .description('Rename a team; its id, its organisation and its projects stay.')
    .argument('<team>', 'its organisation code or its id')
    .argument('<name>', 'the new name')
    .addHelpText('after', examples('npx dashboard-api team rename org_acme "Acme Rockets"'))
    .action(async (key, name, { database, json }) => {
      const team = await withDatabase(database, async (store, file) => {
        const renamed = await parseTeam({ ...(await findTeam(store, file, key)), name })
        return (await store.renameTeam(renamed.id, name)) ?? findTeam(store, file, key)
      })
      printMessage(`The team of ${printable(team.orgCode)} is named ${printable(team.name)} now.`)
      await show({ data: { team }, lines: [team.id] }, json)
    })

  databaseOptions(team.command('remove').addOption(yesOption()))
    .description('Remove a team for good, with its projects and the sessions of its organisation.')
    .argument('<team>', 'its organisation code or its id')
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api team create "Initech" --organization org_initech',
        'npx dashboard-api team remove org_initech --yes',
      ),
    )
    .action(async (key, { json, ...options }) => {
      const { subject, removed } = await confirmRemoval(options, async (store, file) => {
        const team = await findTeam(store, file, key)
        const { projects } = await store.teamSize(team.id)
        const sessions = (await store.listSessions()).filter(({ orgCode }) => orgCode === team.orgCode).length
        const question = `This removes the team ${team.name} of ${team.orgCode} for good, ${withAll({ projects, sessions })}.`
        return { subject: team, removal: { teams: [team.id] }, question }
      })
      printMessage(`Removed the team ${printable(subject.name)}, ${withAll(removed)}.`)
      await show({ data: { team: subject, removed }, lines: [subject.id] }, json)
    })
}

const withAll = ({ projects, sessions }: { projects: number; sessions: number }) =>
  `with ${pluralize(projects, 'project')} and ${pluralize(sessions, 'session')}`

const columns = [
  { title: 'Organisation', value: ({ orgCode }: Team) => orgCode },
  { title: 'Name', value: ({ name }: Team) => name, shrinks: true },
  { title: 'Id', value: ({ id }: Team) => id, tone: () => 'faint' as const, shrinks: true },
]

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
