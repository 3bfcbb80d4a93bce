import type { Command } from 'commander'
import { addCommand, type CommandData } from './define-command.js'
import { addMockProject, mockProjects, removeMockProject, setMockProject } from './mock/mock-projects.js'
import { orDatabaseOption, usesMock } from './mock-or-database.js'
import { jsonOption, spaceOption, urlOption, yesOption } from './options.js'
import { projectsResult, removeProject } from './production/project-records.js'
import { UserError } from './user-error.js'

type OptionData = NonNullable<CommandData['options']>

export const define = (project: Command) => {
  const ofMock: OptionData = [urlOption(), spaceOption(), jsonOption()]
  const team = 'its organisation code or its id'
  const fields: OptionData = [
    ['--description <text>', 'its description'],
    ['--status <text>', 'its status'],
    ['--team <team>', `the team: ${team}`],
  ]
  const ofBoth: OptionData = [
    ['--team <team>', `${team} (default of a mock: that of the active persona)`],
    orDatabaseOption(),
  ]
  project.description(
    'Projects of a running mock (list, add, set, remove), and of the database of production (list, remove).',
  )
  addCommand(project, 'list', {
    about: 'List the projects of a team, newest first.',
    options: [...ofBoth, ...ofMock],
    examples: ['', '--team org_acme --database data/dashboard.db'],
    run: (given) => (usesMock(given) ? mockProjects(given) : projectsResult(given)),
  })
  addCommand(project, 'add <name>', {
    about: 'Add a project to a team of a running mock.',
    args: ['its name'],
    options: [
      ...ofMock,
      ...fields,
      ['--id <id>', 'its id (default: a new one)'],
      ['--created-at <time>', "when it was created (default: by the mock's clock)"],
    ],
    examples: ['Roadmap --id roadmap'],
    run: addMockProject,
  })
  addCommand(project, 'set <id>', {
    about: 'Change fields of a project of a running mock.',
    args: ['its id, as "project list" shows it'],
    options: [
      ...ofMock,
      ...fields,
      ['--name <text>', 'its name'],
      ['--no-description', 'without a description'],
    ],
    examples: ['roadmap --status paused --no-description'],
    run: setMockProject,
  })
  addCommand(project, 'remove <id>', {
    about: 'Remove a project: of a running mock, or of the database for good.',
    args: ['its id, as "project list" shows it'],
    options: [...ofBoth, ...ofMock, yesOption()],
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
