import * as z from 'zod'
import type { Answer, Case } from './case.js'
import { created, everyProject, listed, projectIn, projectsIn, refused, updated } from './expectations.js'
import { newestFirst } from './newest-first.js'
import { bundle, create, list, mine, step, update } from './requests.js'

// Creating and listing the projects of a team (4.1, 4.2).

const count = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length

export const projectCases: Case[] = [
  {
    title: 'A new project has exactly the six fields, is active, and belongs to the team of the caller',
    requirement: '2.1 a project has exactly six fields',
    steps: [
      step(
        create('acme-owner', { name: 'Fresh', description: 'What for' }),
        created({ name: 'Fresh', description: 'What for', status: 'active' }, 'acme-owner'),
      ),
    ],
  },
  {
    title: 'A project without a description has null for it, one with an empty description the empty string',
    requirement: '4.1 create a project',
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
  ...(['acme-owner', 'globex-owner'] as const).flatMap((as): Case[] => [
    {
      title: `The list of ${as} is ordered by creation time, descending`,
      requirement: '4.2 list projects, newest first',
      steps: [
        step(
          list(as),
          listed(
            (projects) =>
              projects.every(
                ({ createdAt }, i) =>
                  Date.parse(createdAt) <= Date.parse(projects[i - 1]?.createdAt ?? createdAt),
              ),
            'has each project after those that are newer',
          ),
        ),
      ],
    },
    {
      title: `The bundle of ${as} names the team and the projects of the list`,
      requirement: '2.2 the session bundle',
      steps: [
        step(list(as), { status: 200 }),
        step(bundle(as), ({ answers }) => ({
          status: 200,
          body: z
            .looseObject({ teamId: z.string(), projects: z.array(z.looseObject({ id: z.string() })) })
            .refine(
              ({ teamId, projects }) => {
                const all = projectsIn(answers[0])
                const ids = (some: { id: string }[]) =>
                  some
                    .map(({ id }) => id)
                    .sort()
                    .join()
                return all.every((one) => one.teamId === teamId) && ids(projects) === ids(all)
              },
              { error: 'has the team and the projects of the list' },
            ),
        })),
      ],
    },
  ]),
  {
    title: 'The list is newest first, and a new project comes before all others',
    requirement: '4.2 list projects, newest first',
    steps: [
      step(list('acme-owner'), everyProject()),
      ...['One', 'Two', 'Three'].map((name) => step(create('acme-owner', { name }), created({ name }))),
      step(list('acme-member'), ({ answers, world }) => ({
        status: 200,
        body: {
          projects: [...answers.slice(1, 4).map(projectIn).reverse(), ...world.projects('acme-owner')],
        },
      })),
    ],
  },
  {
    title: 'An update does not move a project in the list',
    requirement: '4.2 list projects, newest first',
    steps: [
      step(update('acme-owner', mine, { name: 'AAA', status: 'active' }), updated()),
      step(list('acme-owner'), everyProject('acme-owner', { name: 'AAA', status: 'active' })),
    ],
  },
  {
    title: 'Ids are UUIDs of version 7 that grow, and times do not go back',
    requirement: 'answers: ids and times',
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
    title: 'The bundle has the projects in the order of the list, each with exactly id and name',
    requirement: 'answers: bundle and list agree',
    steps: [
      step(create('acme-owner', { name: 'Fresh' }), created()),
      step(update('acme-owner', mine, { name: 'Renamed' }), updated()),
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
    title: 'Two creations with one name at the same time both may succeed, and the list agrees',
    requirement: '4.1 rule 2: two concurrent creations may both succeed',
    steps: [
      {
        concurrent: (['acme-owner', 'acme-member'] as const).map((as) =>
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
    title: 'Twelve creations at the same time are all there afterwards, in the order of the list',
    requirement: '4.1 create a project',
    steps: [
      {
        concurrent: Array.from({ length: 12 }, (_, i) =>
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
]
