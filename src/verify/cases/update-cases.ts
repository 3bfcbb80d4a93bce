import type { Case, Step } from './case.js'
import { foreign, own, update } from './requests.js'
import {
  bundles,
  type Changes,
  creates,
  each,
  failure,
  lists,
  percentEncoded,
  step,
  table,
  updates,
  updatesEarlier,
  words,
} from './steps.js'

// Updating a project of the team (4.3).

/** No ids of a project, though some look like the id of one. */
const unknownIds = [
  ...words(`unknown 0198c0de-0000-7000-8000-0000000000ff
    ${own}0 ${own}%20 %20${own} ${own}%00 ${own}%0A ${own}. ${own}.json ${own},${own} ${own};a=b ${own}%2F %2F${own}
    +${own} %7B${own}%7D %22${own}%22 '${own}' urn:uuid:${own} URN:UUID:${own} ..%2F${own} {otherTeam} {otherUser}
    %00 a%2Fb %2F * %25 %27%20OR%201=1-- $ne __proto__ undefined null me latest first current default Mobile%20app
    0 1 2 -1 %F0%9F%98%80`),
  '_'.repeat(36),
  'a'.repeat(1000),
]

/** Other spellings of the own id. */
const spellings: Record<string, (id: string) => string> = {
  'in capitals': (id) => id.toUpperCase(),
  'without its hyphens': (id) => id.replaceAll('-', ''),
  'without its last character': (id) => id.slice(0, -1),
  'without its second half': (id) => id.slice(0, id.length >> 1),
  'percent-encoded twice': (id) => percentEncoded(percentEncoded(id)),
  'in letters of full width': (id) =>
    encodeURIComponent(id.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0))),
}

const notFound = failure('PROJECT_NOT_FOUND')

/** Updates the own project by an id that is made of its own. */
const updatesSpelt = (spell: (id: string) => string, json: object, expect?: Step['expect']) =>
  step(({ data }) => update('acme-owner', spell(data.ownProject.id), json), expect)

/** Changes that an update makes alone. */
const names = [{}, { name: 'Tablet app' }]
const descriptions = [{}, { description: 'Something new' }, { description: '' }]
const statuses = [{}, { status: 'on hold' }]
const changes: Changes[] = [
  ...names.flatMap((name) =>
    descriptions.flatMap((description) => statuses.map((status) => ({ ...name, ...description, ...status }))),
  ),
  ...['paused', 'completed', 'archived', 'Half done, half not', ' '].map((status) => ({ status })),
]

/** One update after the other. */
const again = ['a,archived', 'b,completed', 'b,archived', 'b,archived', ',active'].map((texts) => {
  const [text = '', status = ''] = texts.split(',')
  return { name: `Again ${text}`, description: text, status }
})

const noProject = 'bodies: unknown and foreign ids get the same response'

export const updateCases: Case[] = [
  ...each(
    changes,
    'bodies: PATCH accepts any combination',
    (json) =>
      `An update of ${Object.keys(json).join(' and ') || 'nothing'} changes only that: ${JSON.stringify(json)}`,
    (json) => [updates('acme-owner', own, json), lists('acme-viewer')],
  ),
  ...table('bodies: status is a free string', {
    'Every field may change again and again, whatever the status, by any member': again.flatMap((json, i) => [
      updates(i % 2 ? 'acme-member' : 'acme-updater', own, json),
      updates('acme-owner', own, {}),
      lists('acme-viewer'),
      bundles('acme-owner'),
    ]),
  }),
  ...table('4.3 update a project', {
    'Any member may update a new project': [
      creates('acme-owner', { name: 'Fresh' }),
      updatesEarlier('acme-member', 0, { description: 'Added later' }),
    ],
    'The other team may update its project': [
      updates('globex-owner', foreign, { name: 'Reactor', status: 's' }),
      lists('globex-owner'),
    ],
    'An id may be percent-encoded, also in part': [
      percentEncoded,
      (id: string) => percentEncoded(id).toUpperCase(),
      (id: string) => id.replace('-', '%2D'),
    ].map((spell) => updatesSpelt(spell, {})),
  }),
  ...table(noProject, {
    "Another team's project gets the same response as an unknown one, byte for byte, and stays unchanged": [
      updates('acme-owner', 'unknown', { status: 'mine' }, notFound),
      ...[
        { status: 'mine' },
        {},
        { name: 'Reactor safety' },
        { name: 'Mobile app' },
        { description: 'x', status: 'y', name: 'z' },
      ].map((json) => updates('acme-owner', foreign, json, { ...notFound, sameAs: 0 })),
      lists('globex-owner'),
    ],
  }),
  ...each(
    Object.entries(spellings),
    noProject,
    ([what]) => `The id of a project ${what} is unknown`,
    ([, spell]) => {
      // An id that has no such spelling.
      const misspell = (id: string) => (spell(id) === id ? 'unknown' : spell(id))
      return [{ status: 'x' }, {}].map((json) => updatesSpelt(misspell, json, notFound))
    },
  ),
  ...each(
    unknownIds,
    noProject,
    (id) => `No project has the id ${id.slice(0, 60)}, and none is created`,
    (id) => [
      updates('acme-owner', id, { status: 'x' }, notFound),
      updates('acme-owner', id, { name: 'Fresh', description: 'd' }, notFound),
    ],
  ),
  ...each(
    ['', ...words('%20 %09 %20%20 %0A %C2%A0 %E3%80%80')],
    'bodies: a blank id is an empty filter',
    (id) => `The blank id "${id}" is an empty filter and changes nothing`,
    (id) => [
      updates('acme-owner', id, { status: 'archived' }, failure('EMPTY_QUERY_FILTER')),
      lists('globex-owner'),
    ],
  ),
]
