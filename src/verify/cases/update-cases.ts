import type { Case, Seen } from './case.js'
import { created, everyProject, mineWith, projectIn, refused } from './expectations.js'
import { create, foreign, list, mine, step, update } from './requests.js'

// Updating a project of the team (4.3).

const blankIds = ['', '%20', '%09', '%20%20', '%0A', '%C2%A0', '%E3%80%80']
const unknownIds = [
  'unknown',
  '0198c0de-0000-7000-8000-0000000000ff',
  `${mine}0`,
  `${mine}%20`,
  `%20${mine}`,
  `${mine}%00`,
  '%00',
  'a%2Fb',
  '%2F',
  `..%2F${mine}`,
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
      title: `An update of ${Object.keys(changes).join(' and ')} to ${JSON.stringify(Object.values(changes))} changes just that`,
      requirement: 'bodies: PATCH takes any combination',
      steps: [
        step(update('acme-owner', mine, changes), mineWith(changes)),
        step(list('acme-viewer'), everyProject('acme-viewer', changes)),
      ],
    }),
  ),
  {
    title: 'An empty update answers the project as it was',
    requirement: 'bodies: PATCH takes any combination',
    steps: [step(update('acme-owner', mine, {}), mineWith()), step(list('acme-owner'), everyProject())],
  },
  {
    title: 'A status may be any string, and goes from any to any',
    requirement: 'bodies: status is a free string',
    steps: ['paused', 'completed', 'archived', 'active', 'Half done, half not', ' '].map((status) =>
      step(update('acme-owner', mine, { status }), mineWith({ status })),
    ),
  },
  {
    title: 'What was created can be updated',
    requirement: '4.3 update a project',
    steps: [
      step(create('acme-owner', { name: 'Fresh' }), created()),
      step(
        ({ answers }) => update('acme-member', projectIn(answers[0]).id, { description: 'Now with one' }),
        ({ answers }) => ({
          status: 200,
          body: { project: { ...projectIn(answers[0]), description: 'Now with one' } },
        }),
      ),
    ],
  },
  {
    title:
      "Another team's project is answered like one that does not exist, byte for byte, and stays as it was",
    requirement: 'bodies: unknown and foreign ids are answered alike',
    steps: [
      step(update('acme-owner', 'unknown', { status: 'mine' }), refused('PROJECT_NOT_FOUND')),
      step(update('acme-owner', foreign, { status: 'mine' }), ({ answers }) => ({
        ...refused('PROJECT_NOT_FOUND'),
        text: answers[0]?.text ?? '',
      })),
      step(update('acme-owner', foreign, {}), ({ answers }) => ({
        ...refused('PROJECT_NOT_FOUND'),
        text: answers[0]?.text ?? '',
      })),
      step(update('globex-owner', foreign, {}), {
        status: 200,
        body: ({ world }: Seen) => ({ project: world.foreign }),
      }),
    ],
  },
  ...unknownIds.map(
    (id): Case => ({
      title: `No project has the id ${id.slice(0, 60)}`,
      requirement: 'bodies: unknown and foreign ids are answered alike',
      steps: [step(update('acme-owner', id, { status: 'x' }), refused('PROJECT_NOT_FOUND'))],
    }),
  ),
  {
    // A URL has no such segments: a client takes them out before it asks, a server may do so too.
    title: 'Dots for an id lead to no project',
    requirement: 'bodies: unknown and foreign ids are answered alike',
    steps: [
      ...['.', '..', '%2E%2E', `../projects/${foreign}`].map((id) =>
        step({ ...update('acme-owner', id, { status: 'mine' }), raw: true }, { status: [400, 404] }),
      ),
      step(list('globex-owner'), everyProject('globex-owner')),
    ],
  },
  ...blankIds.map(
    (id): Case => ({
      title: `The blank id "${id}" is an empty filter, and changes nothing`,
      requirement: 'bodies: a blank id is an empty filter',
      steps: [
        step(update('acme-owner', id, { status: 'archived' }), refused('EMPTY_QUERY_FILTER')),
        step(list('acme-owner'), everyProject()),
        step(list('globex-owner'), everyProject('globex-owner')),
      ],
    }),
  ),
]
