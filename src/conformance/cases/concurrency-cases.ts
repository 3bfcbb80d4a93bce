import type { Case } from './case.js'
import { bundle, create, failure, invalid, join, list, own, table, update, updateEarlier } from './steps.js'

// Requests at the same time do not disturb each other.

const times = <Item>(length: number, make: (i: number) => Item): Item[] =>
  Array.from({ length }, (_, i) => make(i))

const fields = ['name', 'description', 'status']

export const concurrencyCases: Case[] = [
  ...table('4.1 rule 2: two concurrent creations may both succeed', {
    'Two concurrent creations with the same name may both succeed, and the list agrees': [
      (['acme-owner', 'acme-member'] as const).map((as) =>
        create(as, { name: 'Twice' }, { status: [201, 409] }),
      ),
      create('acme-owner', { name: 'TWICE' }, failure('PROJECT_NAME_TAKEN')),
    ],
  }),
  ...table('4.1 create a project', {
    'Concurrent creations of two teams are each in the list of the own team, and closed to the other': [
      times(12, (i) => create('acme-owner', { name: `At once ${i}` })),
      times(6, (i) => create(i % 2 ? 'acme-owner' : 'globex-owner', { name: `Beside ${i}` })),
      times(24, (i) =>
        i % 2 ? create('acme-owner', { name: `Between ${i}` }) : update('acme-owner', own, { status: 'x' }),
      ),
      updateEarlier('acme-owner', 12, { status: 'mine' }, failure('PROJECT_NOT_FOUND')),
      list('globex-owner'),
    ],
  }),
  ...table('5 the session cookie', {
    'Reads of several callers at the same time have the data of each': times(3, () =>
      (['acme-owner', 'globex-owner', 'acme-viewer', 'no-team'] as const).flatMap((as) => [
        list(as),
        bundle(as),
      ]),
    ),
  }),
  ...table('4.3 update a project', {
    'Concurrent updates of different fields are all stored': times(6, (round) => [
      fields.map((_, i) => {
        const field = fields[(i + round) % fields.length] ?? ''
        return update(i % 2 ? 'acme-member' : 'acme-owner', own, { [field]: `${field} ${round}` })
      }),
      list('acme-viewer'),
    ]).flat(),
  }),
  ...table('callers: no permission', {
    'Concurrent requests are refused and accepted each for itself': [
      [
        create('acme-viewer', { name: 'Viewed' }, failure('INSUFFICIENT_PERMISSIONS')),
        create('acme-owner', { name: 'Owned' }),
        create(undefined, { name: 'Nobody' }, failure('AUTH_REQUIRED')),
        update('globex-owner', own, { status: 'x' }, failure('PROJECT_NOT_FOUND')),
        update('acme-owner', own, { status: 'x' }),
        create('acme-owner', { name: '' }, invalid(['name'])),
        create('no-team', { name: 'None' }, failure('TEAM_MEMBERSHIP_REQUIRED')),
        ...['at-once', 'at-once', 'Beside'].map((name) => join({ email: `${name}@example.com` })),
      ],
    ],
  }),
]
