import type { AnyStep, Case, Step } from './case.js'
import { bundle, failure, foreign, list, own, percentEncoded, table, update, words } from './steps.js'

// Updating a project of the team (4.3).

/** No ids of a project, though some look like the id of one. */
const unknownIds = [
  ...words(`unknown 0198c0de-0000-7000-8000-0000000000ff
    ${own}0 ${own}%20 %20${own} ${own}%00 ${own}%0A ${own}%23x ${own}%3Fx ${own}. ${own}.json ${own},${own} ${own};a=b ${own}%2F %2F${own}
    +${own} %7B${own}%7D %22${own}%22 '${own}' urn:uuid:${own} URN:UUID:${own} ..%2F${own} {otherTeam} {otherUser}
    %00 a%2Fb %2F * %25 %27%20OR%201=1-- $ne __proto__ undefined null me latest first current default Mobile%20app
    0 1 2 -1 %F0%9F%98%80`),
  '_'.repeat(36),
  'a'.repeat(4000),
]

/** Other spellings of the own id. */
const spellings: ((id: string) => string)[] = [
  (id) => id.toUpperCase(),
  (id) => id.replaceAll('-', ''),
  (id) => id.slice(0, -1),
  (id) => id.slice(0, id.length >> 1),
  (id) => percentEncoded(percentEncoded(id)),
  // In letters of full width.
  (id) =>
    encodeURIComponent(id.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0))),
]

const notFound = failure('PROJECT_NOT_FOUND')

/** Updates the own project by an id that is made of its own. */
const updateSpelt =
  (spell: (id: string) => string, json: object, expect?: Step['expect']): AnyStep =>
  ({ data }) =>
    update('acme-owner', spell(data.ownProject.id), json, expect)

/** Changes that an update makes alone: any combination of fields, and any status. */
const combinations = [{}, { status: 'on hold' }].flatMap((status) =>
  [status, { ...status, name: 'Tablet app' }].flatMap((some) =>
    [{}, { description: 'Something new' }, { description: '' }].map((text) => ({ ...some, ...text })),
  ),
)
/** Each of the four follows each other one, and one itself. */
const statuses = words(`paused active completed active archived active paused completed paused archived paused
  ACTIVE completed archived completed archived archived active`)

export const updateCases: Case[] = [
  ...table('bodies: PATCH accepts any combination', {
    'An update of nothing, or of any fields, changes only these': combinations.flatMap((json) => [
      update('acme-owner', own, json),
      list('acme-viewer'),
    ]),
  }),
  ...table('bodies: status is a free string', {
    'Every field may change again and again, whatever the status, by any member': statuses.flatMap(
      (status, i) => [
        update('acme-updater', own, { status }),
        update('acme-member', own, { name: `Again ${i & 1}`, description: `${i % 3}` }),
        (i & 2 ? bundle : list)(i & 1 ? 'acme-member' : 'acme-owner'),
      ],
    ),
  }),
  ...table('4.3 update a project', {
    'An id may be percent-encoded, also in part': [
      percentEncoded,
      (id: string) => percentEncoded(id).toUpperCase(),
      (id: string) => id.replace('-', '%2D'),
    ].map((spell) => updateSpelt(spell, {})),
  }),
  ...table('bodies: unknown and foreign ids get the same response', {
    "Another team's project gets the same response as an unknown one, byte for byte, and stays unchanged": [
      update('acme-owner', 'unknown', { status: 'mine' }, notFound),
      ...[{}, { name: 'Reactor safety' }, { name: 'Mobile app' }, { description: 'x', status: 'y' }].map(
        (json) => update('acme-owner', foreign, json, { ...notFound, sameAs: 0 }),
      ),
      update('globex-owner', foreign, { status: 'ours' }),
      list('globex-owner'),
    ],
    'The id of a project in another spelling is unknown': spellings.flatMap((spell) => {
      // An id that has no such spelling.
      const misspell = (id: string) => (spell(id) === id ? 'unknown' : spell(id))
      return [{ status: 'x' }, {}].map((json) => updateSpelt(misspell, json, notFound))
    }),
    'No project has an unknown id, and none is created': [
      unknownIds.map((id) =>
        update('acme-owner', id, { name: 'Fresh', description: 'd', status: 'x' }, notFound),
      ),
    ],
  }),
  ...table('bodies: a blank id is an empty filter', {
    'A blank id is an empty filter, and changes nothing of any team': [
      ['', ...words('%20 %09 %20%20 %0A %C2%A0 %E3%80%80')].map((id) =>
        update('acme-owner', id, { status: 'archived' }, failure('EMPTY_QUERY_FILTER')),
      ),
      list('globex-owner'),
    ],
  }),
]
