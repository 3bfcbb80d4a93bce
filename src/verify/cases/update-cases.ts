import type { Case, CaseContext } from './case.js'
import { allProjects, created, failure, ownProjectWith, projectIn } from './expectations.js'
import { create, foreign, list, own, step, update } from './requests.js'

// Updating a project of the team (4.3).

const blankIds = ['', '%20', '%09', '%20%20', '%0A', '%C2%A0', '%E3%80%80']
const unknownIds = [
  'unknown',
  '0198c0de-0000-7000-8000-0000000000ff',
  `${own}0`,
  `${own}%20`,
  `%20${own}`,
  `${own}%00`,
  '%00',
  'a%2Fb',
  '%2F',
  `..%2F${own}`,
  '*',
  '%25',
  '%27%20OR%201=1--',
  '__proto__',
  'undefined',
  '%F0%9F%98%80',
  'a'.repeat(1000),
]

export const updateCases: Case[] = [
  ...(
    [
      [{ name: 'Tablet app' }],
      [{ description: 'Something new' }],
      [{ description: '' }],
      [{ status: 'on hold' }],
      [{ name: 'Tablet app', description: 'd' }],
      [{ name: 'Tablet app', status: 's' }],
      [{ description: 'd', status: 's' }],
      [{ name: 'Tablet app', description: 'd', status: 's' }],
    ] as const
  ).map(
    ([changes]): Case => ({
      title: `An update of ${Object.keys(changes).join(' and ')} to ${JSON.stringify(Object.values(changes))} changes only that`,
      requirement: 'bodies: PATCH accepts any combination',
      steps: [
        step(update('acme-owner', own, changes), ownProjectWith(changes)),
        step(list('acme-viewer'), allProjects('acme-viewer', changes)),
      ],
    }),
  ),
  {
    title: 'An empty update returns the project unchanged',
    requirement: 'bodies: PATCH accepts any combination',
    steps: [step(update('acme-owner', own, {}), ownProjectWith()), step(list('acme-owner'), allProjects())],
  },
  {
    title: 'A status may be any string and may change to any other',
    requirement: 'bodies: status is a free string',
    steps: ['paused', 'completed', 'archived', 'active', 'Half done, half not', ' '].map((status) =>
      step(update('acme-owner', own, { status }), ownProjectWith({ status })),
    ),
  },
  {
    title: 'A new project can be updated',
    requirement: '4.3 update a project',
    steps: [
      step(create('acme-owner', { name: 'Fresh' }), created()),
      step(
        ({ responses }) => update('acme-member', projectIn(responses[0]).id, { description: 'Added later' }),
        ({ responses }) => ({
          status: 200,
          body: { project: { ...projectIn(responses[0]), description: 'Added later' } },
        }),
      ),
    ],
  },
  {
    title:
      "Another team's project gets the same response as an unknown one, byte for byte, and stays unchanged",
    requirement: 'bodies: unknown and foreign ids get the same response',
    steps: [
      step(update('acme-owner', 'unknown', { status: 'mine' }), failure('PROJECT_NOT_FOUND')),
      step(update('acme-owner', foreign, { status: 'mine' }), ({ responses }) => ({
        ...failure('PROJECT_NOT_FOUND'),
        text: responses[0]?.text ?? '',
      })),
      step(update('acme-owner', foreign, {}), ({ responses }) => ({
        ...failure('PROJECT_NOT_FOUND'),
        text: responses[0]?.text ?? '',
      })),
      step(update('globex-owner', foreign, {}), {
        status: 200,
        body: ({ data }: CaseContext) => ({ project: data.foreignProject }),
      }),
    ],
  },
  ...unknownIds.map(
    (id): Case => ({
      title: `No project has the id ${id.slice(0, 60)}`,
      requirement: 'bodies: unknown and foreign ids get the same response',
      steps: [step(update('acme-owner', id, { status: 'x' }), failure('PROJECT_NOT_FOUND'))],
    }),
  ),
  {
    // A URL has no such segments: clients remove them before they send a request, and servers may do so too.
    title: 'Dots as an id are no project',
    requirement: 'bodies: unknown and foreign ids get the same response',
    steps: [
      ...['.', '..', '%2E%2E', `../projects/${foreign}`].map((id) =>
        step({ ...update('acme-owner', id, { status: 'mine' }), raw: true }, { status: [400, 404] }),
      ),
      step(list('globex-owner'), allProjects('globex-owner')),
    ],
  },
  ...blankIds.map(
    (id): Case => ({
      title: `The blank id "${id}" is an empty filter and changes nothing`,
      requirement: 'bodies: a blank id is an empty filter',
      steps: [
        step(update('acme-owner', id, { status: 'archived' }), failure('EMPTY_QUERY_FILTER')),
        step(list('acme-owner'), allProjects()),
        step(list('globex-owner'), allProjects('globex-owner')),
      ],
    }),
  ),
]
