import * as z from 'zod'
import { Project } from '../contract/schemas.js'
import { created, projectIn, refused } from './answers.js'
import type { Case } from './case.js'
import { acme, projectNamed, projectsOf } from './demo.js'
import { create, list, step, update } from './requests.js'

// Updating a project of the team (4.3).

const project = projectNamed('Mobile app')
const foreign = projectNamed('Reactor safety', 'team-globex')
const blankIds = ['', '%20', '%09', '%20%20', '%0A', '%C2%A0', '%E3%80%80']
const unknownIds = [
  'unknown',
  '0198c0de-0000-7000-8000-0000000000ff',
  project.id.toUpperCase(),
  `${project.id}%20`,
  `%20${project.id}`,
  `${project.id}%00`,
  '%00',
  'a%2Fb',
  '%2F',
  `..%2F${project.id}`,
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
      says: `An update of ${Object.keys(changes).join(' and ')} to ${JSON.stringify(Object.values(changes))} changes just that`,
      proves: 'bodies: PATCH takes any combination',
      steps: [
        step(update('acme-owner', project.id, changes), {
          status: 200,
          body: { project: { ...project, ...changes } },
        }),
        step(list('acme-viewer'), {
          status: 200,
          body: {
            projects: projectsOf(acme).map((one) => (one.id === project.id ? { ...one, ...changes } : one)),
          },
        }),
      ],
    }),
  ),
  {
    says: 'An empty update answers the project as it was',
    proves: 'bodies: PATCH takes any combination',
    steps: [
      step(update('acme-owner', project.id, {}), { status: 200, body: { project } }),
      step(list('acme-owner'), { status: 200, body: { projects: projectsOf(acme) } }),
    ],
  },
  {
    says: 'A status may be any string, and goes from any to any',
    proves: 'bodies: status is a free string',
    steps: ['paused', 'completed', 'archived', 'active', 'Half done, half not', ' '].map((status) =>
      step(update('acme-owner', project.id, { status }), {
        status: 200,
        body: { project: { ...project, status } },
      }),
    ),
  },
  {
    says: 'What was created can be updated',
    proves: '4.3 update a project',
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
    says: "Another team's project is answered like one that does not exist, byte for byte, and stays as it was",
    proves: 'bodies: unknown and foreign ids are answered alike',
    steps: [
      step(update('acme-owner', 'unknown', { status: 'mine' }), refused('PROJECT_NOT_FOUND')),
      step(update('acme-owner', foreign.id, { status: 'mine' }), ({ answers }) => ({
        ...refused('PROJECT_NOT_FOUND'),
        text: answers[0]?.text ?? '',
      })),
      step(update('acme-owner', foreign.id, {}), ({ answers }) => ({
        ...refused('PROJECT_NOT_FOUND'),
        text: answers[0]?.text ?? '',
      })),
      step(update('globex-owner', foreign.id, {}), {
        status: 200,
        body: z.strictObject({ project: Project.refine(({ status }) => status === foreign.status) }),
      }),
    ],
  },
  ...unknownIds.map(
    (id): Case => ({
      says: `No project has the id ${id.slice(0, 60)}`,
      proves: 'bodies: unknown and foreign ids are answered alike',
      steps: [step(update('acme-owner', id, { status: 'x' }), refused('PROJECT_NOT_FOUND'))],
    }),
  ),
  {
    // A URL has no such segments: a client takes them out before it asks, a server may do so too.
    says: 'Dots for an id lead to no project',
    proves: 'bodies: unknown and foreign ids are answered alike',
    steps: [
      ...['.', '..', '%2E%2E', `../projects/${foreign.id}`].map((id) =>
        step({ ...update('acme-owner', id, { status: 'mine' }), raw: true }, { status: [400, 404] }),
      ),
      step(list('globex-owner'), { status: 200, body: { projects: projectsOf('team-globex') } }),
    ],
  },
  ...blankIds.map(
    (id): Case => ({
      says: `The blank id "${id}" is an empty filter, and changes nothing`,
      proves: 'bodies: a blank id is an empty filter',
      steps: [
        step(update('acme-owner', id, { status: 'archived' }), refused('EMPTY_QUERY_FILTER')),
        step(list('acme-owner'), { status: 200, body: { projects: projectsOf(acme) } }),
        step(list('globex-owner'), { status: 200, body: { projects: projectsOf('team-globex') } }),
      ],
    }),
  ),
]
