import * as z from 'zod'
import { Project } from '../../src/contract/schemas.js'
import { created, listed, projectIn, projectsIn, refused, updated } from './answers.js'
import type { Answer, Case } from './case.js'
import { acme, newestFirst, projectNamed, projectsOf } from './demo.js'
import { bundle, create, list, step, update } from './requests.js'

// Creating, listing and updating the projects of a team (4.1 to 4.3).

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

const count = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length

export const projectCases: Case[] = [
  {
    says: 'A new project has exactly the six fields, is active, and belongs to the team of the caller',
    proves: '2.1 a project has exactly six fields',
    steps: [
      step(
        create('acme-owner', { name: 'Fresh', description: 'What for' }),
        created({ name: 'Fresh', description: 'What for', status: 'active', teamId: acme }),
      ),
    ],
  },
  {
    says: 'A project without a description has null for it, one with an empty description the empty string',
    proves: '4.1 create a project',
    steps: [
      step(create('acme-owner', { name: 'Without' }), created({ description: null })),
      step(create('acme-owner', { name: 'Empty', description: '' }), created({ description: '' })),
      step(
        list('acme-owner'),
        listed(
          ([empty, without]) => empty?.description === '' && without?.description === null,
          'keeps both',
        ),
      ),
    ],
  },
  {
    says: 'The list is newest first, and a new project comes before all others',
    proves: '4.2 list projects, newest first',
    steps: [
      step(list('acme-owner'), { status: 200, body: { projects: projectsOf(acme) } }),
      ...['One', 'Two', 'Three'].map((name) => step(create('acme-owner', { name }), created({ name }))),
      step(list('acme-member'), ({ answers }) => ({
        status: 200,
        body: {
          projects: [...answers.slice(1, 4).map(projectIn).reverse(), ...projectsOf(acme)],
        },
      })),
    ],
  },
  {
    says: 'An update does not move a project in the list',
    proves: '4.2 list projects, newest first',
    steps: [
      step(update('acme-owner', project.id, { name: 'AAA', status: 'active' }), updated()),
      step(
        list('acme-owner'),
        listed(
          (projects) =>
            projects.map(({ id }) => id).join() ===
            projectsOf(acme)
              .map(({ id }) => id)
              .join(),
          'is in the same order',
        ),
      ),
    ],
  },
  {
    says: 'Ids are UUIDs of version 7 that grow, and times do not go back',
    proves: 'answers: ids and times',
    steps: [
      ...Array.from({ length: 8 }, (_, i) =>
        step(create('acme-owner', { name: `Fresh ${i}` }), created({ name: `Fresh ${i}` })),
      ),
      step(
        list('acme-owner'),
        listed((projects) => {
          const fresh = projects.slice(0, 8).reverse()
          const grows = (a: string, b: string | undefined) => b === undefined || a <= b
          return fresh.every(
            ({ id, createdAt }, i) =>
              grows(id, fresh[i + 1]?.id) &&
              grows(createdAt, fresh[i + 1]?.createdAt) &&
              !Number.isNaN(Date.parse(createdAt)),
          )
        }, 'has ids and times that grow'),
      ),
    ],
  },
  {
    says: 'The bundle has the projects in the order of the list, each with exactly id and name',
    proves: 'answers: bundle and list agree',
    steps: [
      step(create('acme-owner', { name: 'Fresh' }), created()),
      step(update('acme-owner', project.id, { name: 'Renamed' }), updated()),
      step(list('acme-owner'), { status: 200 }),
      step(bundle('acme-owner'), ({ answers }) => ({
        status: 200,
        body: z
          .looseObject({ projects: z.array(z.strictObject({ id: z.string(), name: z.string() })) })
          .refine(
            ({ projects }) =>
              JSON.stringify(projects.map(({ id, name }) => [id, name])) ===
              JSON.stringify(projectsIn(answers[2]).map(({ id, name }) => [id, name])),
            { error: 'has the projects of the list in its order' },
          ),
      })),
    ],
  },
  {
    says: 'Two creations with one name at the same time both may succeed, and the list agrees',
    proves: '4.1 rule 2: two concurrent creations may both succeed',
    steps: [
      {
        together: (['acme-owner', 'acme-member'] as const).map((as) =>
          step(create(as, { name: 'Twice' }), { status: [201, 409] }),
        ),
      },
      step(list('acme-owner'), ({ answers }) =>
        listed((projects) => {
          const made = projects.filter(({ name }) => name === 'Twice').length
          return made >= 1 && made === count(answers, 201)
        }, 'has as many of them as were answered with 201, and one at least'),
      ),
      step(create('acme-owner', { name: 'TWICE' }), refused('PROJECT_NAME_TAKEN')),
    ],
  },
  {
    says: 'Twelve creations at the same time are all there afterwards, in the order of the list',
    proves: '4.1 create a project',
    steps: [
      {
        together: Array.from({ length: 12 }, (_, i) =>
          step(create('acme-owner', { name: `At once ${i}` }), created({ name: `At once ${i}` })),
        ),
      },
      step(list('acme-owner'), ({ answers }) =>
        listed(
          (projects) =>
            answers.map(projectIn).every((made) => projects.some(({ id }) => id === made.id)) &&
            newestFirst(projects).every(({ id }, i) => id === projects[i]?.id),
          'has each of them, equal times by id, descending',
        ),
      ),
    ],
  },

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
