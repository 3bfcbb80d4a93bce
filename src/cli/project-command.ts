import type { Command } from 'commander'
import type { Project } from '../contract/schemas.js'
import type { OptionData } from './define-command.js'
import { controlCommand } from './mock/control-command.js'
import { define as defineControls } from './mock/control-groups.js'
import { teamOf } from './mock/team-of.js'
import { yesOption } from './options.js'
import { databaseProjects, listProjects, removeProject } from './production/project-records.js'
import { UserError } from './user-error.js'

const teamOption: OptionData = [
  '--team <team>',
  'its organisation code or its id (default of a mock: that of the active persona)',
]

export const define = (project: Command) => {
  controlCommand(project, 'list', 'data', {
    about: 'List the projects of a team, newest first.',
    isBare: true,
    options: [teamOption],
    orDatabase: databaseProjects,
    examples: ['', '--team org_acme --database data/dashboard.db'],
    input: () => ({ kind: 'projects', sort: '-createdAt' }),
    async print({ records }, given, call) {
      const team = await teamOf(call, given.team)
      return listProjects(
        team,
        (records as Project[]).filter(({ teamId }) => teamId === team.id),
      )
    },
  })
  defineControls(project)
  controlCommand(project, 'remove <id>', 'removeRecord', {
    about: 'Remove a project: of a running mock, or of the database for good.',
    isBare: true,
    args: { id: 'its id, as "project list" shows it' },
    options: [teamOption, yesOption()],
    orDatabase: removeProject,
    examples: [
      'roadmap',
      '0198c0de-0000-7000-8000-000000000001 --team org_acme --yes --database data/dashboard.db',
    ],
    async input({ id, team: key, yes }, call) {
      if (yes) {
        throw new UserError(
          'There is nothing to confirm: this removes a project of a running mock, which "undo" takes back.',
          'Leave out --yes; for a project of the database, pass --database.',
        )
      }
      if (key !== undefined) {
        const team = await teamOf(call, key)
        const { records } = await call('data', { kind: 'projects', search: id })
        if (!(records as Project[]).some((each) => each.id === id && each.teamId === team.id)) {
          throw new UserError(`The team ${team.name} has no project with the id "${id}".`)
        }
      }
      return { kind: 'projects', key: id }
    },
    message: (_, { id }) => `Removed the project ${id}. "npx dashboard-api undo" takes it back.`,
    print: ({ removed }, { id }) => ({ data: { removed }, lines: [id] }),
  })
}
