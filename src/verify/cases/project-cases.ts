import * as z from 'zod'
import type { Case } from './case.js'
import { allProjects, created, listWhere, projectIn, projectsIn, updated } from './expectations.js'
import { bundle, create, given, list, own, step, update } from './requests.js'
import { callerNames } from './test-data.js'

// Creating and listing the projects of a team (4.1, 4.2).

/** Creations under names that no run has used, and that need not be freed. */
const many = Array.from({ length: 150 }, (_, i) =>
  step(
    ({ data }) => create('acme-owner', { name: `verify ${data.projects('acme-owner').length}-${i}` }),
    created(),
  ),
)

export const projectCases: Case[] = [
  given(
    "A new project has exactly the six fields, is active, and belongs to the caller's team",
    '2.1 a project has exactly six fields',
    step(
      create('acme-owner', { name: 'Fresh', description: 'What for' }),
      created({ name: 'Fresh', description: 'What for', status: 'active' }, 'acme-owner'),
    ),
  ),
  given(
    'A missing description is null, an empty description is the empty string',
    '4.1 create a project',
    step(create('acme-owner', { name: 'Without' }), created({ description: null })),
    step(create('acme-owner', { name: 'Empty', description: '' }), created({ description: '' })),
    step(
      list('acme-owner'),
      listWhere(
        ([empty, without]) => empty?.description === '' && without?.description === null,
        'expected null and the empty string',
      ),
    ),
  ),
  ...(['acme-owner', 'globex-owner'] as const).flatMap((as): Case[] => [
    given(
      `The list of ${callerNames[as]} is ordered by creation time, descending`,
      '4.2 list projects, newest first',
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
    ),
    given(
      `The list of ${callerNames[as]} has each project once`,
      '4.2 list projects, newest first',
      step(
        list(as),
        listWhere(
          (projects) =>
            new Set(projects.map(({ id }) => id)).size === projects.length &&
            projects.every(({ id, teamId }) => id !== '' && teamId !== ''),
          'expected ids that differ, and a team',
        ),
      ),
    ),
    given(
      `The bundle of ${callerNames[as]} has the team and the projects of the list`,
      '2.2 the session bundle',
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
    ),
  ]),
  given(
    'The list is newest first, and a new project is the first one',
    '4.2 list projects, newest first',
    step(list('acme-owner'), allProjects()),
    ...['One', 'Two', 'Three'].map((name) => step(create('acme-owner', { name }), created({ name }))),
    ...(['acme-member', 'acme-owner'] as const).map((as) =>
      step(list(as), ({ responses, data }) => ({
        status: 200,
        body: {
          projects: [...responses.slice(1, 4).map(projectIn).reverse(), ...data.projects('acme-owner')],
        },
      })),
    ),
  ),
  given(
    'An update does not move a project in the list',
    '4.2 list projects, newest first',
    step(update('acme-owner', own, { name: 'AAA', status: 'active' }), updated()),
    step(list('acme-owner'), allProjects('acme-owner', { name: 'AAA', status: 'active' })),
  ),
  given(
    'Ids are UUIDs of version 7; ids and times ascend',
    'responses: ids and times',
    ...Array.from({ length: 8 }, (_, i) =>
      step(create('acme-owner', { name: `Fresh ${i}` }), created({ name: `Fresh ${i}` })),
    ),
    step(
      list('acme-owner'),
      listWhere((projects) => {
        const fresh = projects.slice(0, 8).reverse()
        const ascends = (a: string, b: string | undefined) => b === undefined || a <= b
        return (
          fresh.every(
            ({ id, createdAt }, i) =>
              ascends(id, fresh[i + 1]?.id) && ascends(createdAt, fresh[i + 1]?.createdAt),
          ) && !fresh.every(({ createdAt }) => createdAt.endsWith('00Z'))
        )
      }, 'expected ascending ids, and ascending times with milliseconds'),
    ),
  ),
  given(
    'The bundle has the projects in the order of the list, each with exactly id and name',
    'responses: bundle and list agree',
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
  ),
  given(
    'A list and a bundle have every project of a large team',
    '4.2 list projects, newest first',
    { concurrent: many },
    step(list('acme-owner'), ({ responses, data }) =>
      listWhere((projects) => {
        const ids = new Set(projects.map(({ id }) => id))
        return (
          ids.size === many.length + data.projects('acme-owner').length &&
          responses.map(projectIn).every(({ id }) => ids.has(id))
        )
      }, 'expected every project once'),
    ),
    step(bundle('acme-owner'), ({ responses }) => ({
      status: 200,
      body: z.looseObject({
        projects: z
          .array(z.object({ id: z.string() }))
          .refine(
            (projects) =>
              String(projects.map(({ id }) => id)) ===
              String(projectsIn(responses.at(-1)).map(({ id }) => id)),
            { error: 'expected the projects of the list' },
          ),
      }),
    })),
  ),
]
