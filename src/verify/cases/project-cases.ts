import type { Project } from '../../contract/schemas.js'
import type { AnyStep, Case } from './case.js'
import { bundle, create, list, own, update } from './requests.js'
import { each, table } from './steps.js'
import { callerNames } from './test-data.js'

// Creating and listing the projects of a team (4.1, 4.2).

/** Creations under names that no run has used, and that need not be freed. */
const many = Array.from(
  { length: 150 },
  (_, i): AnyStep =>
    ({ data }) =>
      create('acme-owner', { name: `verify ${data.projects('acme-owner').length}-${i}` }),
)

/** Ids and times ascend, and times have milliseconds. */
const ascend = (projects: Project[]) => {
  const fresh = projects.slice(0, 8)
  return (
    fresh.every(({ id }, i) => id >= (fresh[i + 1]?.id ?? '')) &&
    fresh.every(({ createdAt }, i) => createdAt >= (fresh[i + 1]?.createdAt ?? '')) &&
    !fresh.every(({ createdAt }) => createdAt.endsWith('00Z'))
  )
}

export const projectCases: Case[] = [
  ...each(
    ['acme-owner', 'globex-owner'] as const,
    '4.2 list projects, newest first',
    (as) => `The list of ${callerNames[as]} has each project once, newest first, as the bundle has`,
    (as) => [list(as), bundle(as)],
  ),
  ...table('2.1 a project has exactly six fields', {
    "A new project has exactly the six fields, is active, and belongs to the caller's team": create(
      'acme-owner',
      { name: 'Fresh', description: 'What for' },
    ),
  }),
  ...table('4.1 create a project', {
    'The fields of a body may come in any order, and a description may be missing or empty': [
      create('acme-owner', { description: 'First', name: 'Second' }),
      create('acme-owner', { name: 'Without' }),
      create('acme-owner', { name: 'Empty', description: '' }),
      update('acme-owner', own, { status: 's', description: 'd', name: 'n' }),
    ],
  }),
  ...table('4.2 list projects, newest first', {
    'The list is newest first, and a new project is the first one': [
      list('acme-owner'),
      ...(['acme-owner', 'acme-member', 'acme-creator'] as const).flatMap((as, i) => [
        create(as, { name: `Fresh ${i}`, description: 'The same' }),
        list(as),
      ]),
    ],
  }),
  ...table('responses: ids and times', {
    'Ids are UUIDs of version 7; ids and times ascend': [
      ...Array.from({ length: 8 }, (_, i) => create('acme-owner', { name: `Fresh ${i}` })),
      list('acme-owner', { has: { projects: ascend } }),
    ],
  }),
  ...table('responses: bundle and list agree', {
    'A list and a bundle have every project of a large team, renamed ones too': [
      update('acme-owner', own, { name: 'Renamed' }),
      many,
      bundle('acme-owner'),
    ],
  }),
]
