import * as z from 'zod'
import type { Case, Expectation } from './case.js'
import { allProjects, created, failure, ownProjectWith, projectIn } from './expectations.js'
import { bundle, create, foreign, given, list, own, step, update } from './requests.js'

// Updating a project of the team (4.3).

const blankIds = ['', '%20', '%09', '%20%20', '%0A', '%C2%A0', '%E3%80%80']
/** No ids of a project, though some look like the id of one. */
const unknownIds = [
  'unknown',
  '0198c0de-0000-7000-8000-0000000000ff',
  `${own}0`,
  `${own}%20`,
  `%20${own}`,
  `${own}%00`,
  `${own}%0A`,
  `${own}.`,
  `${own}.json`,
  `${own},${own}`,
  `${own};a=b`,
  `${own}%2F`,
  `%2F${own}`,
  `+${own}`,
  `%7B${own}%7D`,
  `%22${own}%22`,
  `'${own}'`,
  `urn:uuid:${own}`,
  `URN:UUID:${own}`,
  '{otherTeam}',
  '{otherUser}',
  '%00',
  'a%2Fb',
  '%2F',
  `..%2F${own}`,
  '*',
  '%25',
  `${'_'.repeat(36)}`,
  '%27%20OR%201=1--',
  '$ne',
  '__proto__',
  'undefined',
  'null',
  'me',
  'latest',
  'first',
  'current',
  'default',
  'Mobile%20app',
  '0',
  '1',
  '2',
  '-1',
  '%F0%9F%98%80',
  'a'.repeat(1000),
]

/** Other spellings of the own id; an id that has none is unknown. */
const spellings: Record<string, (id: string) => string> = {
  'in capitals': (id) => id.toUpperCase(),
  'without its hyphens': (id) => id.replaceAll('-', ''),
  'without its last character': (id) => id.slice(0, -1),
  'without its second half': (id) => id.slice(0, id.length >> 1),
  'percent-encoded twice': (id) => encodeURIComponent(percentEncoded(id)),
  'in letters of full width': (id) =>
    encodeURIComponent(id.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0))),
}

const percentEncoded = (id: string) =>
  [...id].map((char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')

const misspelt = (spell: (id: string) => string, json: object) =>
  step(({ data }) => {
    const spelt = spell(data.ownProject.id)
    return update('acme-owner', spelt === data.ownProject.id ? 'unknown' : spelt, json)
  }, failure('PROJECT_NOT_FOUND'))

/** A session bundle with a project of this name. */
const bundleNaming = (name: string): Expectation => ({
  status: 200,
  body: z
    .looseObject({ projects: z.array(z.object({ name: z.string() })) })
    .refine(({ projects }) => projects.some((project) => project.name === name), {
      error: `expected a project with the name ${name}`,
    }),
})

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
    ([changes]): Case =>
      given(
        `An update of ${Object.keys(changes).join(' and ')} to ${JSON.stringify(Object.values(changes))} changes only that`,
        'bodies: PATCH accepts any combination',
        step(update('acme-owner', own, changes), ownProjectWith(changes)),
        step(list('acme-viewer'), allProjects('acme-viewer', changes)),
      ),
  ),
  given(
    'An empty update returns the project unchanged',
    'bodies: PATCH accepts any combination',
    step(update('acme-owner', own, {}), ownProjectWith()),
    step(list('acme-owner'), allProjects()),
  ),
  given(
    'A status may be any string and may change to any other',
    'bodies: status is a free string',
    ...['paused', 'completed', 'archived', 'archived', 'active', 'Half done, half not', ' '].flatMap(
      (status) => [
        step(update('acme-owner', own, { status }), ownProjectWith({ status })),
        step(list('acme-viewer'), allProjects('acme-viewer', { status })),
      ],
    ),
  ),
  given(
    'Every field may change again and again, whatever the status, by any member',
    '4.3 update a project',
    ...['a', 'b', 'b', ''].flatMap((text, i) => {
      const status = ['archived', 'completed', 'archived', 'active'][i] ?? ''
      const changes = { name: `Again ${text}`, description: text, status }
      const as = i % 2 ? 'acme-member' : 'acme-updater'
      return [
        step(update(as, own, changes), ownProjectWith(changes)),
        step(update('acme-owner', own, {}), ownProjectWith(changes)),
        step(bundle('acme-owner'), bundleNaming(`Again ${text}`)),
      ]
    }),
  ),
  given(
    'A new project can be updated',
    '4.3 update a project',
    step(create('acme-owner', { name: 'Fresh' }), created()),
    step(
      ({ responses }) => update('acme-member', projectIn(responses[0]).id, { description: 'Added later' }),
      ({ responses }) => ({
        status: 200,
        body: { project: { ...projectIn(responses[0]), description: 'Added later' } },
      }),
    ),
  ),
  given(
    "Another team's project gets the same response as an unknown one, byte for byte, and stays unchanged",
    'bodies: unknown and foreign ids get the same response',
    step(update('acme-owner', 'unknown', { status: 'mine' }), failure('PROJECT_NOT_FOUND')),
    ...[
      { status: 'mine' },
      {},
      { name: 'Reactor safety' },
      { name: 'Mobile app' },
      { description: 'x', status: 'y', name: 'z' },
    ].map((json) =>
      step(update('acme-owner', foreign, json), { ...failure('PROJECT_NOT_FOUND'), sameAs: 0 }),
    ),
    step(list('globex-owner'), allProjects('globex-owner')),
  ),
  given(
    'An id may be percent-encoded',
    '4.3 update a project',
    step(({ data }) => update('acme-owner', percentEncoded(data.ownProject.id), {}), ownProjectWith()),
  ),
  ...Object.entries(spellings).map(
    ([what, spell]): Case =>
      given(
        `The id of a project ${what} is unknown`,
        'bodies: unknown and foreign ids get the same response',
        misspelt(spell, { status: 'x' }),
        misspelt(spell, {}),
        step(list('acme-owner'), allProjects()),
      ),
  ),
  ...unknownIds.map(
    (id): Case =>
      given(
        `No project has the id ${id.slice(0, 60)}`,
        'bodies: unknown and foreign ids get the same response',
        step(update('acme-owner', id, { status: 'x' }), failure('PROJECT_NOT_FOUND')),
      ),
  ),
  given(
    'Dots as an id are no project',
    'bodies: unknown and foreign ids get the same response',
    ...['.', '..', '%2E%2E', `../projects/${foreign}`].map((id) =>
      step({ ...update('acme-owner', id, { status: 'mine' }), raw: true }, { status: [400, 404] }),
    ),
    step(list('globex-owner'), allProjects('globex-owner')),
  ),
  ...blankIds.map(
    (id): Case =>
      given(
        `The blank id "${id}" is an empty filter and changes nothing`,
        'bodies: a blank id is an empty filter',
        step(update('acme-owner', id, { status: 'archived' }), failure('EMPTY_QUERY_FILTER')),
        step(list('acme-owner'), allProjects()),
        step(list('globex-owner'), allProjects('globex-owner')),
      ),
  ),
]
