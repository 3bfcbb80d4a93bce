import * as z from 'zod'
import type { Case, ReceivedResponse } from './case.js'
import { allProjects, created, failure, listWhere, projectIn, projectsIn, updated } from './expectations.js'
import { newestFirst } from './newest-first.js'
import { bundle, create, list, own, step, update } from './requests.js'
import { callerNames } from './test-data.js'

// Creating and listing the projects of a team (4.1, 4.2).

const count = (responses: readonly ReceivedResponse[], status: number) =>
  responses.filter((response) => response.status === status).length

export const projectCases: Case[] = [
  {
    title: "A new project has exactly the six fields, is active, and belongs to the caller's team",
    requirement: '2.1 a project has exactly six fields',
    steps: [
      step(
        create('acme-owner', { name: 'Fresh', description: 'What for' }),
        created({ name: 'Fresh', description: 'What for', status: 'active' }, 'acme-owner'),
      ),
    ],
  },
  {
    title: 'A missing description is null, an empty description is the empty string',
    requirement: '4.1 create a project',
    steps: [
      step(create('acme-owner', { name: 'Without' }), created({ description: null })),
      step(create('acme-owner', { name: 'Empty', description: '' }), created({ description: '' })),
      step(
        list('acme-owner'),
        listWhere(
          ([empty, without]) => empty?.description === '' && without?.description === null,
          'expected null and the empty string',
        ),
      ),
    ],
  },
  ...(['acme-owner', 'globex-owner'] as const).flatMap((as): Case[] => [
    {
      title: `The list of ${callerNames[as]} is ordered by creation time, descending`,
      requirement: '4.2 list projects, newest first',
      steps: [
        step(
          list(as),
          listWhere(
            (projects) =>
              projects.every(
                ({ createdAt }, i) =>
                  Date.parse(createdAt) <= Date.parse(projects[i - 1]?.createdAt ?? createdAt),
              ),
            'expected descending creation times',
          ),
        ),
      ],
    },
    {
      title: `The list of ${callerNames[as]} has each project once`,
      requirement: '4.2 list projects, newest first',
      steps: [
        step(
          list(as),
          listWhere(
            (projects) =>
              new Set(projects.map(({ id }) => id)).size === projects.length &&
              projects.every(({ id, teamId }) => id !== '' && teamId !== ''),
            'expected ids that differ, and a team',
          ),
        ),
      ],
    },
    {
      title: `The bundle of ${callerNames[as]} has the team and the projects of the list`,
      requirement: '2.2 the session bundle',
      steps: [
        step(list(as), { status: 200 }),
        step(bundle(as), ({ responses }) => ({
          status: 200,
          body: z
            .looseObject({ teamId: z.string(), projects: z.array(z.looseObject({ id: z.string() })) })
            .refine(
              ({ teamId, projects }) => {
                const all = projectsIn(responses[0])
                const ids = (some: { id: string }[]) =>
                  some
                    .map(({ id }) => id)
                    .sort()
                    .join()
                return all.every((project) => project.teamId === teamId) && ids(projects) === ids(all)
              },
              { error: 'expected the team and the projects of the list' },
            ),
        })),
      ],
    },
  ]),
  {
    title: 'The list is newest first, and a new project is the first one',
    requirement: '4.2 list projects, newest first',
    steps: [
      step(list('acme-owner'), allProjects()),
      ...['One', 'Two', 'Three'].map((name) => step(create('acme-owner', { name }), created({ name }))),
      step(list('acme-member'), ({ responses, data }) => ({
        status: 200,
        body: {
          projects: [...responses.slice(1, 4).map(projectIn).reverse(), ...data.projects('acme-owner')],
        },
      })),
    ],
  },
  {
    title: 'An update does not move a project in the list',
    requirement: '4.2 list projects, newest first',
    steps: [
      step(update('acme-owner', own, { name: 'AAA', status: 'active' }), updated()),
      step(list('acme-owner'), allProjects('acme-owner', { name: 'AAA', status: 'active' })),
    ],
  },
  {
    title: 'Ids are UUIDs of version 7; ids and times ascend',
    requirement: 'responses: ids and times',
    steps: [
      ...Array.from({ length: 8 }, (_, i) =>
        step(create('acme-owner', { name: `Fresh ${i}` }), created({ name: `Fresh ${i}` })),
      ),
      step(
        list('acme-owner'),
        listWhere((projects) => {
          const fresh = projects.slice(0, 8).reverse()
          const ascends = (a: string, b: string | undefined) => b === undefined || a <= b
          return fresh.every(
            ({ id, createdAt }, i) =>
              ascends(id, fresh[i + 1]?.id) &&
              ascends(createdAt, fresh[i + 1]?.createdAt) &&
              !Number.isNaN(Date.parse(createdAt)),
          )
        }, 'expected ascending ids and times'),
      ),
    ],
  },
  {
    title: 'The bundle has the projects in the order of the list, each with exactly id and name',
    requirement: 'responses: bundle and list agree',
    steps: [
      step(create('acme-owner', { name: 'Fresh' }), created()),
      step(update('acme-owner', own, { name: 'Renamed' }), updated()),
      step(list('acme-owner'), { status: 200 }),
      step(bundle('acme-owner'), ({ responses }) => ({
        status: 200,
        body: z
          .looseObject({ projects: z.array(z.strictObject({ id: z.string(), name: z.string() })) })
          .refine(
            ({ projects }) =>
              JSON.stringify(projects.map(({ id, name }) => [id, name])) ===
              JSON.stringify(projectsIn(responses[2]).map(({ id, name }) => [id, name])),
            { error: 'expected the projects of the list in its order' },
          ),
      })),
    ],
  },
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
  {
    title: 'Twelve concurrent creations are all in the list, in its order',
    requirement: '4.1 create a project',
    steps: [
      {
        concurrent: Array.from({ length: 12 }, (_, i) =>
          step(create('acme-owner', { name: `At once ${i}` }), created({ name: `At once ${i}` })),
        ),
      },
      step(list('acme-owner'), ({ responses }) =>
        listWhere(
          (projects) =>
            responses.map(projectIn).every((project) => projects.some(({ id }) => id === project.id)) &&
            newestFirst(projects).every(({ id }, i) => id === projects[i]?.id),
          'expected each of them, equal times by id, descending',
        ),
      ),
    ],
  },
]
