import type { Project } from '../../contract/schemas.js'
import type { Case } from './case.js'
import { create, own } from './requests.js'
import { bundles, creates, each, lists, step, table, updates } from './steps.js'
import { callerNames } from './test-data.js'

// Creating and listing the projects of a team (4.1, 4.2).

/** Creations under names that no run has used, and that need not be freed. */
const many = Array.from({ length: 150 }, (_, i) =>
  step(({ data }) => create('acme-owner', { name: `verify ${data.projects('acme-owner').length}-${i}` })),
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
    (as) => [lists(as), bundles(as)],
  ),
  ...table('2.1 a project has exactly six fields', {
    "A new project has exactly the six fields, is active, and belongs to the caller's team": creates(
      'acme-owner',
      { name: 'Fresh', description: 'What for' },
    ),
  }),
  ...table('4.1 create a project', {
    'The fields of a body may come in any order': [
      creates('acme-owner', { description: 'First', name: 'Second' }),
      updates('acme-owner', own, { status: 's', description: 'd', name: 'n' }),
    ],
    'A missing description is null, an empty description is the empty string': [
      creates('acme-owner', { name: 'Without' }),
      creates('acme-owner', { name: 'Empty', description: '' }),
    ],
  }),
  ...table('4.2 list projects, newest first', {
    'The list is newest first, and a new project is the first one': [
      lists('acme-owner'),
      ...(['acme-owner', 'acme-member', 'acme-owner'] as const).map((as, i) =>
        creates(as, { name: `Fresh ${i}`, description: 'The same' }),
      ),
      lists('acme-member'),
    ],
  }),
  ...table('callers: no permission', {
    'Who may create, but not update, finds the new project in the list': [
      creates('acme-creator', { name: 'Fresh' }),
      lists('acme-creator'),
    ],
  }),
  ...table('responses: ids and times', {
    'Ids are UUIDs of version 7; ids and times ascend': [
      ...Array.from({ length: 8 }, (_, i) => creates('acme-owner', { name: `Fresh ${i}` })),
      lists('acme-owner', { has: { projects: ascend } }),
    ],
  }),
  ...table('responses: bundle and list agree', {
    'A list and a bundle have every project of a large team, renamed ones too': [
      updates('acme-owner', own, { name: 'Renamed' }),
      many,
      bundles('acme-owner'),
    ],
  }),
]
