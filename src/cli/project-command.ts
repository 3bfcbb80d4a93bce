import type { Command } from 'commander'
import type { Project } from '../contract/schemas.js'
import { addCommand, type OptionData } from './define-command.js'
import { define as defineControls } from './mock/control-groups.js'
import { mockProjects, removeMockProject } from './mock/mock-projects.js'
import { orDatabaseOption, usesMock } from './mock-or-database.js'
import { jsonOption, spaceOption, urlOption, yesOption } from './options.js'
import { columnsOf, type Tone } from './output/columns.js'
import { databaseProjects, removeProject } from './production/project-records.js'
import { UserError } from './user-error.js'

export const define = (project: Command) => {
  const options: OptionData[] = [
    ['--team <team>', 'its organisation code or its id (default of a mock: that of the active persona)'],
    orDatabaseOption(),
    urlOption(),
    spaceOption(),
    jsonOption(),
  ]
  addCommand(project, 'list', {
    about: 'List the projects of a team, newest first.',
    options,
    examples: ['', '--team org_acme --database data/dashboard.db'],
    async run(given) {
      const data = await (usesMock(given) ? mockProjects(given) : databaseProjects(given))
      const table = { columns, rows: data.projects, emptyText: 'The team has no project.' }
      return { data, table }
    },
  })
  defineControls(project)
  addCommand(project, 'remove <id>', {
    about: 'Remove a project: of a running mock, or of the database for good.',
    args: ['its id, as "project list" shows it'],
    options: [...options, yesOption()],
    examples: [
      'roadmap',
      '0198c0de-0000-7000-8000-000000000001 --team org_acme --yes --database data/dashboard.db',
    ],
    run(given) {
      if (!usesMock(given)) return removeProject(given)
      if (!given.yes) return removeMockProject(given)
      throw new UserError(
        'There is nothing to confirm: this removes a project of a running mock, which "undo" takes back.',
        'Leave out --yes; for a project of the database, pass --database.',
      )
    },
  })
}

const tones: Record<string, Tone> = { active: 'good', archived: 'faint' }

const columns = columnsOf<Project>(
  'Name*, Status, Created, Id*, Description*',
  ({ name, status, createdAt, id, description }) => [name, status, createdAt, id, description ?? ''],
  { Status: ({ status }) => tones[status], Id: () => 'faint' },
)
