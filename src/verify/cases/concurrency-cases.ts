import * as z from 'zod'
import type { Case, Persona, ReceivedResponse, Step } from './case.js'
import {
  allProjects,
  created,
  detailsFor,
  failure,
  joined,
  listWhere,
  projectIn,
  projectsIn,
  updated,
  validationFailure,
} from './expectations.js'
import { newestFirst } from './newest-first.js'
import { bundle, create, given, join, list, own, step, update } from './requests.js'

// Requests at the same time do not disturb each other.

const count = (responses: readonly ReceivedResponse[], status: number) =>
  responses.filter((response) => response.status === status).length

const times = <Item>(length: number, make: (i: number) => Item): Item[] =>
  Array.from({ length }, (_, i) => make(i))

/** The list has the projects of the earlier responses with these indexes, each once. */
const listHas = (as: Persona, from: number, to: number) =>
  step(list(as), ({ responses }) =>
    listWhere((projects) => {
      const ids = projects.map(({ id }) => id)
      const createdIds = responses.slice(from, to).map((response) => projectIn(response).id)
      return new Set(ids).size === ids.length && createdIds.every((id) => ids.includes(id))
    }, 'expected each new project once'),
  )

const readOf = (as: Persona): Step[] => [
  step(list(as), allProjects(as)),
  step(bundle(as), ({ data }) => ({
    status: 200,
    body: bundleOf(data.bundle(as)),
  })),
]

/** A bundle that is about this caller. */
const bundleOf = ({ user, teamId }: { user: { id: string }; teamId: string }) =>
  z.looseObject({ user: z.looseObject({ id: z.literal(user.id) }), teamId: z.literal(teamId) })

const rotated = <Item>(items: readonly Item[], by: number): Item[] =>
  items.map((_, i) => items[(i + by) % items.length] as Item)

/** Changes of single fields at the same time; then all of them are stored. */
const changesAtOnce = (
  fields: readonly ('name' | 'description' | 'status')[],
  round: number,
): Case['steps'] => {
  const changes = Object.fromEntries(fields.map((field) => [field, `${field} ${round}`]))
  return [
    {
      concurrent: Object.entries(changes).map(([field, value], i) =>
        step(
          update(i % 2 ? 'acme-member' : 'acme-owner', own, { [field]: value }),
          updated({ [field]: value }),
        ),
      ),
    },
    step(list('acme-viewer'), ({ data }) =>
      listWhere(
        (projects) => {
          const stored = projects.find(({ id }) => id === data.ownProject.id)
          return fields.every((field) => stored?.[field] === changes[field])
        },
        `expected ${JSON.stringify(changes)}`,
      ),
    ),
  ]
}

export const concurrencyCases: Case[] = [
  {
    title: 'Two concurrent creations with the same name may both succeed, and the list agrees',
    requirement: '4.1 rule 2: two concurrent creations may both succeed',
    steps: [
      {
        concurrent: (['acme-owner', 'acme-member'] as const).map((as) =>
          step(create(as, { name: 'Twice' }), { status: [201, 409] }),
        ),
      },
      step(list('acme-owner'), ({ responses }) =>
        listWhere((projects) => {
          const twins = projects.filter(({ name }) => name === 'Twice').length
          return twins >= 1 && twins === count(responses, 201)
        }, 'expected as many of them as 201 responses, and at least one'),
      ),
      step(create('acme-owner', { name: 'TWICE' }), failure('PROJECT_NAME_TAKEN')),
    ],
    note: (responses) =>
      count(responses.slice(0, 2), 201) === 2
        ? 'both creations succeeded'
        : 'one creation succeeded, the other found the name taken',
  },
  given(
    'Twelve concurrent creations are all in the list, in its order',
    '4.1 create a project',
    {
      concurrent: times(12, (i) =>
        step(create('acme-owner', { name: `At once ${i}` }), created({ name: `At once ${i}` })),
      ),
    },
    listHas('acme-owner', 0, 12),
    step(
      list('acme-owner'),
      listWhere(
        (projects) => newestFirst(projects).every(({ id }, i) => id === projects[i]?.id),
        'expected equal times by id, descending',
      ),
    ),
  ),
  given(
    'Concurrent creations of two teams are each in the own team',
    '4.1 create a project',
    {
      concurrent: times(6, (i) => {
        const as = i < 3 ? 'acme-owner' : 'globex-owner'
        return step(create(as, { name: `Beside ${i}` }), created({ name: `Beside ${i}` }, as))
      }),
    },
    listHas('acme-owner', 0, 3),
    listHas('globex-owner', 3, 6),
  ),
  given(
    'Reads of several callers at the same time have the data of each',
    '5 the session cookie',
    ...times(3, () => ({
      concurrent: (['acme-owner', 'globex-owner', 'acme-viewer', 'no-team'] as const).flatMap(readOf),
    })),
  ),
  given(
    'A list during creations has what was there before',
    '4.2 list projects, newest first',
    step(list('acme-owner'), { status: 200 }),
    {
      concurrent: times(12, (i) =>
        i % 2
          ? step(list('acme-owner'), ({ responses: [before] }) =>
              listWhere((projects) => {
                const ids = new Set(projects.map(({ id }) => id))
                return projectsIn(before).every(({ id }) => ids.has(id))
              }, 'expected the earlier projects'),
            )
          : step(create('acme-member', { name: `Meanwhile ${i}` }), created()),
      ),
    },
  ),
  given(
    'Concurrent updates of different fields are all stored',
    '4.3 update a project',
    ...times(6, (round) => changesAtOnce(rotated(['name', 'description', 'status'], round), round)).flat(),
  ),
  given(
    'Of concurrent updates of one field, one is stored',
    '4.3 update a project',
    {
      concurrent: times(6, (i) =>
        step(update('acme-owner', own, { description: `d${i}` }), updated({ description: `d${i}` })),
      ),
    },
    step(list('acme-owner'), ({ data }) =>
      listWhere(
        (projects) =>
          /^d[0-5]$/.test(projects.find(({ id }) => id === data.ownProject.id)?.description ?? ''),
        'expected one of the descriptions',
      ),
    ),
  ),
  given('Concurrent requests are refused and accepted each for itself', 'callers: no permission', {
    concurrent: [
      step(create('acme-viewer', { name: 'Viewed' }), failure('INSUFFICIENT_PERMISSIONS')),
      step(create('acme-owner', { name: 'Owned' }), created({ name: 'Owned' }, 'acme-owner')),
      step(create(undefined, { name: 'Nobody' }), failure('AUTH_REQUIRED')),
      step(update('globex-owner', own, { status: 'x' }), failure('PROJECT_NOT_FOUND')),
      step(update('acme-owner', own, { status: 'x' }), updated({ status: 'x' })),
      step(create('acme-owner', { name: '' }), validationFailure(detailsFor(['name']))),
      step(create('no-team', { name: 'None' }), failure('TEAM_MEMBERSHIP_REQUIRED')),
    ],
  }),
  given(
    'Concurrent sign-ups all succeed, of one address and of several',
    'responses: waitlist',
    {
      concurrent: ['at-once', 'at-once', 'at-once', 'beside', 'Beside'].map((name) =>
        step(join({ email: `${name}@example.com` }), joined),
      ),
    },
    step(join({ email: 'at-once@example.com' }), joined),
  ),
]
