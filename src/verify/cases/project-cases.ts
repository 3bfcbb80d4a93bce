import { canonicalJson } from './canonical-json.js'
import type { Case, Persona } from './case.js'
import { bundled, creates, each, listed, lists, step, table, updates } from './case-table.js'
import { created, projectIn, projectsIn } from './expectations.js'
import { create, own } from './requests.js'
import { callerNames } from './test-data.js'

// Creating and listing the projects of a team (4.1, 4.2).

const entries = (projects: { id: string; name: string }[]) =>
  canonicalJson(projects.map(({ id, name }) => ({ id, name })))

/** The bundle has the projects of an earlier list, in its order, each with exactly id and name. */
const bundledAsListed = (as: Persona, at: number) =>
  bundled(as, 'expected those of the list', ({ teamId, projects }, { responses }) => {
    const all = projectsIn(responses.at(at))
    return all.every((project) => project.teamId === teamId) && entries(projects) === entries(all)
  })

/** The projects of creations, newest first, and those that were there before. */
const newAndOld = (as: Persona, from: number, to: number) =>
  listed(as, 'expected the new projects first', (projects, { responses, data }) => {
    const fresh = responses.slice(from, to).map(projectIn).reverse()
    return canonicalJson(projects) === canonicalJson([...fresh, ...data.projects(as)])
  })

/** Creations under names that no run has used, and that need not be freed. */
const many = Array.from({ length: 150 }, (_, i) =>
  step(
    ({ data }) => create('acme-owner', { name: `verify ${data.projects('acme-owner').length}-${i}` }),
    created(),
  ),
)

export const projectCases: Case[] = [
  ...each(
    ['acme-owner', 'globex-owner'] as const,
    '4.2 list projects, newest first',
    (as) =>
      `The list of ${callerNames[as]} has each project once, by descending creation times, as the bundle has`,
    (as) => [
      listed(as, 'expected descending times, ids that differ, and a team', (projects) => {
        const times = projects.map(({ createdAt }) => Date.parse(createdAt))
        return (
          times.every((time, i) => time <= (times[i - 1] ?? time)) &&
          new Set(projects.map(({ id }) => id)).size === projects.length &&
          projects.every(({ id, teamId }) => id !== '' && teamId !== '')
        )
      }),
      bundledAsListed(as, 0),
    ],
  ),
  ...table('2.1 a project has exactly six fields', {
    "A new project has exactly the six fields, is active, and belongs to the caller's team": creates(
      'acme-owner',
      { name: 'Fresh', description: 'What for' },
      created({ name: 'Fresh', description: 'What for', status: 'active' }, 'acme-owner'),
    ),
  }),
  ...table('4.1 create a project', {
    'The fields of a body may come in any order': [
      creates('acme-owner', { description: 'First', name: 'Second' }),
      updates('acme-owner', own, { status: 's', description: 'd', name: 'n' }),
    ],
    'A missing description is null, an empty description is the empty string': [
      creates('acme-owner', { name: 'Without' }, created({ description: null })),
      creates('acme-owner', { name: 'Empty', description: '' }),
      newAndOld('acme-owner', 0, 2),
    ],
  }),
  ...table('4.2 list projects, newest first', {
    'The list is newest first, and a new project is the first one': [
      lists('acme-owner'),
      ...(['acme-owner', 'acme-member', 'acme-owner'] as const).map((as, i) =>
        creates(as, { name: `Fresh ${i}`, description: 'The same' }),
      ),
      newAndOld('acme-member', 1, 4),
      newAndOld('acme-owner', 1, 4),
    ],
  }),
  ...table('callers: no permission', {
    'Who may create, but not update, finds the new project in the list': [
      creates('acme-creator', { name: 'Fresh' }),
      newAndOld('acme-creator', 0, 1),
    ],
  }),
  ...table('responses: ids and times', {
    'Ids are UUIDs of version 7; ids and times ascend': [
      ...Array.from({ length: 8 }, (_, i) => creates('acme-owner', { name: `Fresh ${i}` })),
      listed('acme-owner', 'expected ascending ids, and ascending times with milliseconds', (projects) => {
        const fresh = projects.slice(0, 8)
        return (
          fresh.every(({ id }, i) => id >= (fresh[i + 1]?.id ?? '')) &&
          fresh.every(({ createdAt }, i) => createdAt >= (fresh[i + 1]?.createdAt ?? '')) &&
          !fresh.every(({ createdAt }) => createdAt.endsWith('00Z'))
        )
      }),
    ],
  }),
  ...table('responses: bundle and list agree', {
    'A list and a bundle have every project of a large team, renamed ones too': [
      updates('acme-owner', own, { name: 'Renamed' }),
      { concurrent: many },
      listed('acme-owner', 'expected every project once', (projects, { responses, data }) => {
        const found = new Set(projects.map(({ id }) => id))
        return (
          found.size === many.length + data.projects('acme-owner').length &&
          responses
            .slice(1)
            .map(projectIn)
            .every(({ id }) => found.has(id))
        )
      }),
      bundledAsListed('acme-owner', -1),
    ],
  }),
]
