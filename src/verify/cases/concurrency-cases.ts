import type { Project } from '../../contract/schemas.js'
import type { Case, ReceivedResponse } from './case.js'
import { bundles, creates, joins, listed, lists, step, table, updates } from './case-table.js'
import { created, failure, invalid, projectIn } from './expectations.js'
import { create, own } from './requests.js'

// Requests at the same time do not disturb each other.

const bothCreated = (responses: readonly ReceivedResponse[]) =>
  responses.slice(0, 2).every(({ status }) => status === 201)

const times = <Item>(length: number, make: (i: number) => Item): Item[] =>
  Array.from({ length }, (_, i) => make(i))

const sortKey = (project?: Project) => `${project?.createdAt} ${project?.id}`

const fields = ['name', 'description', 'status']

const twins = table('4.1 rule 2: two concurrent creations may both succeed', {
  'Two concurrent creations with the same name may both succeed, and the list agrees': [
    {
      concurrent: (['acme-owner', 'acme-member'] as const).map((as) =>
        step(create(as, { name: 'Twice' }), { status: [201, 409] }),
      ),
    },
    listed('acme-owner', 'expected one for each 201, and at least one', (projects, { responses }) => {
      const twins = projects.filter(({ name }) => name === 'Twice').length
      return twins >= 1 && (twins === 2) === bothCreated(responses)
    }),
    creates('acme-owner', { name: 'TWICE' }, failure('PROJECT_NAME_TAKEN')),
  ],
}).map(
  (testCase): Case => ({
    ...testCase,
    note: (responses) =>
      bothCreated(responses)
        ? 'both creations succeeded'
        : 'one creation succeeded, the other found the name taken',
  }),
)

export const concurrencyCases: Case[] = [
  ...twins,
  ...table('4.1 create a project', {
    'Concurrent creations of two teams are each in the list of the own team, in its order': [
      { concurrent: times(12, (i) => creates('acme-owner', { name: `At once ${i}` })) },
      {
        concurrent: times(6, (i) => {
          const [as, name] = [i % 2 ? 'acme-owner' : 'globex-owner', `Beside ${i}`] as const
          return creates(as, { name }, created({ name }, as))
        }),
      },
      ...(['acme-owner', 'globex-owner'] as const).map((as) =>
        listed(as, 'expected each new project once, and equal times by id', (projects, context) => {
          const { teamId } = context.data.bundle(as)
          const fresh = context.responses.slice(0, 18).map(projectIn)
          const found = new Set(projects.map(({ id }) => id))
          return (
            found.size === projects.length &&
            fresh.every((project) => found.has(project.id) === (project.teamId === teamId)) &&
            projects.every((project, i) => i === 0 || sortKey(projects[i - 1]) > sortKey(project))
          )
        }),
      ),
    ],
  }),
  ...table('5 the session cookie', {
    'Reads of several callers at the same time have the data of each': times(3, () => ({
      concurrent: (['acme-owner', 'globex-owner', 'acme-viewer', 'no-team'] as const).flatMap((as) => [
        lists(as),
        bundles(as),
      ]),
    })),
  }),
  ...table('4.3 update a project', {
    'Concurrent updates of different fields are all stored': times(6, (round) => [
      {
        concurrent: fields.map((_, i) => {
          const field = fields[(i + round) % fields.length] ?? ''
          return updates(i % 2 ? 'acme-member' : 'acme-owner', own, { [field]: `${field} ${round}` })
        }),
      },
      lists('acme-viewer', Object.fromEntries(fields.map((field) => [field, `${field} ${round}`]))),
    ]).flat(),
  }),
  ...table('callers: no permission', {
    'Concurrent requests are refused and accepted each for itself': [
      {
        concurrent: [
          creates('acme-viewer', { name: 'Viewed' }, failure('INSUFFICIENT_PERMISSIONS')),
          creates('acme-owner', { name: 'Owned' }, created({ name: 'Owned' }, 'acme-owner')),
          creates(undefined, { name: 'Nobody' }, failure('AUTH_REQUIRED')),
          updates('globex-owner', own, { status: 'x' }, failure('PROJECT_NOT_FOUND')),
          updates('acme-owner', own, { status: 'x' }),
          creates('acme-owner', { name: '' }, invalid(['name'])),
          creates('no-team', { name: 'None' }, failure('TEAM_MEMBERSHIP_REQUIRED')),
          ...['at-once', 'at-once', 'Beside'].map((name) => joins({ email: `${name}@example.com` })),
        ],
      },
    ],
  }),
]
