import type { Project } from '../../contract/schemas.js'
import type { AnyStep, Case } from './case.js'
import { bundle, create, list, own, table, taken, update } from './steps.js'

// Creating and listing the projects of a team (4.1, 4.2).

/** Creates a project under a name that no run has used, and that need not be freed. */
const createUnused =
  (_: unknown, i: number): AnyStep =>
  ({ data }) =>
    create('acme-owner', { name: `verify ${data.projects('acme-owner').length}-${i}` })

/** In the list, which is newest first, ids descend, and times have milliseconds. */
const ascend = (projects: Project[]) => {
  const ids = projects.slice(0, 8).map(({ id }) => id)
  const hasMilliseconds = projects.slice(0, 8).some(({ createdAt }) => !createdAt.endsWith('00Z'))
  return hasMilliseconds && `${ids}` === `${[...ids].sort().reverse()}`
}

export const projectCases: Case[] = [
  ...table('2.1 a project has exactly six fields', {
    'A new project has the six fields, also without a description or with its own in another order': [
      create('acme-owner', { description: 'First', name: 'Second' }),
      create('acme-owner', { name: 'Without' }),
      create('acme-owner', { name: 'Without' }, taken),
      create('acme-owner', { name: 'Empty', description: '' }),
      update('acme-owner', own, { status: 's', description: 'd', name: 'n' }),
    ],
  }),
  ...table('responses: ids and times', {
    'A new project is the first one of the list; ids are UUIDs of version 7, and ascend as times do': [
      ...Array.from({ length: 8 }, (_, i) =>
        create(i % 2 ? 'acme-owner' : 'acme-creator', { name: `Fresh ${i}`, description: 'The same' }),
      ),
      list('acme-creator', { has: { projects: ascend } }),
    ],
  }),
  ...table('responses: bundle and list agree', {
    'A list and a bundle have every project of a large team, renamed ones too': [
      update('acme-owner', own, { name: 'Renamed' }),
      Array.from({ length: 150 }, createUnused),
      bundle('acme-owner'),
    ],
  }),
]
