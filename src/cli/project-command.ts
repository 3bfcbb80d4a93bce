import type { Command } from 'commander'
import { addMockProject, removeMockProject, setMockProject, showMockProjects } from './mock/mock-projects.js'
import { orDatabaseOption, usesMock } from './mock-or-database.js'
import { examples, jsonOption, mockOptions, spaceOption, urlOption, yesOption } from './options.js'
import { removeProject, showProjects } from './production/project-records.js'
import { UserError } from './user-error.js'

export const define = (project: Command) => {
  const ofMock = examples(
    'npx dashboard-api project add Roadmap --id roadmap',
    'npx dashboard-api project set roadmap --status paused --no-description',
    'npx dashboard-api project remove roadmap',
  )
  project
    .description(
      'Projects of a running mock (list, add, set, remove), and of the database of production (list, remove).',
    )
    .addHelpText('after', ofMock)

  withBoth(project.command('list'))
    .description('List the projects of a team, newest first.')
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api project list',
        'npx dashboard-api project list --team org_acme --database data/dashboard.db',
      ),
    )
    .action((options) => (usesMock(options) ? showMockProjects(options) : showProjects(options)))

  withFields(mockOptions(project.command('add')))
    .description('Add a project to a team of a running mock.')
    .argument('<name>', 'its name')
    .option('--id <id>', 'its id (default: a new one)')
    .option('--created-at <time>', "when it was created (default: by the mock's clock)")
    .addHelpText('after', ofMock)
    .action((name, options) => addMockProject(name, options))

  withFields(mockOptions(project.command('set')))
    .description('Change fields of a project of a running mock.')
    .argument('<id>', 'its id, as "project list" shows it')
    .option('--name <text>', 'its name')
    .option('--no-description', 'without a description')
    .addHelpText('after', ofMock)
    .action((id, options) => setMockProject(id, options))

  withBoth(project.command('remove'))
    .addOption(yesOption())
    .description('Remove a project: of a running mock, or of the database for good.')
    .argument('<id>', 'its id, as "project list" shows it')
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api project remove 0198c0de-0000-7000-8000-000000000001',
        'npx dashboard-api project remove 0198c0de-0000-7000-8000-000000000001 --team org_acme --yes --database data/dashboard.db',
      ),
    )
    .action((id, options) => {
      if (!usesMock(options)) return removeProject(id, options)
      if (!options.yes) return removeMockProject(id, options)
      throw new UserError(
        'There is nothing to confirm: this removes a project of a running mock, which "undo" takes back.',
        'Leave out --yes; for a project of the database, pass --database.',
      )
    })
}

const teamOption = ['--team <team>', 'its organisation code or its id'] as const

/** Adds the options of a command for a mock or a database. */
const withBoth = (command: Command): Command =>
  command
    .option(teamOption[0], `${teamOption[1]} (default of a mock: that of the active persona)`)
    .addOption(urlOption())
    .addOption(spaceOption())
    .addOption(orDatabaseOption())
    .addOption(jsonOption())

const withFields = (command: Command): Command =>
  command
    .option('--description <text>', 'its description')
    .option('--status <text>', 'its status')
    .option(teamOption[0], `the team: ${teamOption[1]}`)
