import { canonicalJson } from './canonical-json.js'
import type { Case, Persona } from './case.js'
import { bundled, creates, listed, lists, step, table, updates } from './case-table.js'
import { created, projectIn, projectsIn } from './expectations.js'
import { create, list, own } from './requests.js'
import { callerNames } from './test-data.js'

// Creating and listing the projects of a team (4.1, 4.2).

/** Creations under names that no run has used, and that need not be freed. */
const many = Array.from({ length: 150 }, (_, i) =>
  step(
    ({ data }) => create('acme-owner', { name: `verify ${data.projects('acme-owner').length}-${i}` }),
    created(),
  ),
)

const ids = (projects: { id: string }[]) => String(projects.map(({ id }) => id))

const teamCases = (as: Persona): Case[] => [
  ...table('4.2 list projects, newest first', {
    [`The list of ${callerNames[as]} is ordered by creation time, descending`]: listed(
      as,
      'expected descending creation times',
      (projects) => {
        const times = projects.map(({ createdAt }) => Date.parse(createdAt))
        return times.every((time, i) => time <= (times[i - 1] ?? time))
      },
    ),
    [`The list of ${callerNames[as]} has each project once`]: listed(
      as,
      'expected ids that differ, and a team',
      (projects) =>
        new Set(projects.map(({ id }) => id)).size === projects.length &&
        projects.every(({ id, teamId }) => id !== '' && teamId !== ''),
    ),
  }),
  ...table('2.2 the session bundle', {
    [`The bundle of ${callerNames[as]} has the team and the projects of the list`]: [
      step(list(as), { status: 200 }),
      bundled(as, 'expected those of the list', ({ teamId, projects }, { responses: [earlier] }) => {
        const all = projectsIn(earlier)
        const sorted = (some: { id: string }[]) => ids(some).split(',').sort().join()
        return all.every((project) => project.teamId === teamId) && sorted(projects) === sorted(all)
      }),
    ],
  }),
]

/** The projects of creations, newest first, and those that were there before. */
const newAndOld = (as: Persona, from: number, to: number) =>
  listed(as, 'expected the new projects first', (projects, { responses, data }) => {
    const fresh = responses.slice(from, to).map(projectIn).reverse()
    return canonicalJson(projects) === canonicalJson([...fresh, ...data.projects(as)])
  })

export const projectCases: Case[] = [
  ...teamCases('acme-owner'),
  ...teamCases('globex-owner'),
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
      ...['One', 'Two', 'Three'].map((name) => creates('acme-owner', { name })),
      newAndOld('acme-member', 1, 4),
      newAndOld('acme-owner', 1, 4),
    ],
    'An update does not move a project in the list': [
      updates('acme-owner', own, { name: 'AAA', status: 'active' }),
      lists('acme-owner', { name: 'AAA', status: 'active' }),
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
    'The bundle has the projects in the order of the list, each with exactly id and name': [
      creates('acme-owner', { name: 'Fresh' }),
      updates('acme-owner', own, { name: 'Renamed' }),
      step(list('acme-owner'), { status: 200 }),
      bundled('acme-owner', 'expected the list in its order', ({ projects }, { responses }) => {
        const all = projectsIn(responses[2]).map(({ id, name }) => ({ id, name }))
        return canonicalJson(projects) === canonicalJson(all)
      }),
    ],
  }),
  ...table('4.2 list projects, newest first', {
    'A list and a bundle have every project of a large team': [
      { concurrent: many },
      listed('acme-owner', 'expected every project once', (projects, { responses, data }) => {
        const found = new Set(projects.map(({ id }) => id))
        return (
          found.size === many.length + data.projects('acme-owner').length &&
          responses.map(projectIn).every(({ id }) => found.has(id))
        )
      }),
      bundled(
        'acme-owner',
        'expected the projects of the list',
        ({ projects }, { responses }) => ids(projects) === ids(projectsIn(responses.at(-1))),
      ),
    ],
  }),
]
