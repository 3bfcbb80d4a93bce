import type { Case } from './case.js'
import { own } from './requests.js'
import { creates, each, failure, lists, table, updates, updatesEarlier, words } from './steps.js'

// Names are unique in a team, compared without regard to case (4.1, rule 1; section 8).

/** Names that differ only in case or normalisation. */
const equal =
  `Roadmap=ROADMAP|Roadmap=roadmap|ÄPFEL=äpfel|STRASSE=straße|STRAẞE=straße|STRAẞE=strasse|ΟΔΟΣ=οδος
οδός=ΟΔΌΣ|ῒ=Ϊ̀|ПРОЕКТ=проект|Ǆ=ǆ|ﬁnance=FINANCE|𐐀=𐐨|café=cafe\u0301|CAFE\u0301=café|Å=\u212b|ſ=S|\u212a=k|µ=μ|ısı=ISI`
    .split(/[|\n]/)
    .map((pair) => pair.split('=') as [string, string])

/** Names that are different: nothing is trimmed, and no language has special rules. */
const different = [
  ...'Roadmap|Roadmap | Roadmap|Road map|Road  map|Road-map|Road_map|Roadmap.|Roadmaps|Rοadmap'.split('|'),
  ...['Äpfel', 'Apfel', 'Aepfel', 'a', 'а', '1', '１', '01', 'x', 'x\u200b'],
  ...['a', 'b'].map((end) => `${'n'.repeat(1100)}${end}`),
]

const taken = failure('PROJECT_NAME_TAKEN')

export const nameCases: Case[] = [
  ...each(
    equal,
    { requirement: 'bodies: names are compared by their keys', addsOnly: true },
    ([first, second]) => `"${first}" and "${second}" are the same name`,
    (pair, i) => {
      // The number keeps the pairs apart, which run side by side.
      const [first, second] = [`${i} ${pair[0]}`, `${i} ${pair[1]}`]
      return [
        creates('acme-owner', { name: first }),
        creates('acme-member', { name: second }, taken),
        updates('acme-owner', own, { name: second }, taken),
        creates('globex-owner', { name: second }),
        updatesEarlier('acme-owner', 0, { name: second }),
        creates('acme-owner', { name: first }, taken),
      ]
    },
  ),
  ...table('bodies: names are compared by their keys', {
    'Names that only look alike are different names': [
      ...different.map((name) => creates('acme-owner', { name })),
      ...different.map((name) => updates('acme-owner', own, { name: `${name}!` })),
    ],
    'A project may take its own name again, in the same or another case': [
      updates('acme-owner', own, { name: 'MOBILE app' }),
      updates('acme-owner', own, { name: 'MOBILE app' }),
      creates('acme-owner', { name: 'Mobile App' }, taken),
      updates('acme-owner', own, { name: 'mobile APP', description: 'd', status: 's' }),
    ],
  }),
  ...table('4.1 rule 1: names are unique in a team without regard to case', {
    'The name of an existing project is taken, whatever its status': [
      'Website relaunch',
      'MOBILE APP',
      'äPFEL & bIRNEN',
      'data WAREHOUSE',
    ].map((name) => creates('acme-owner', { name }, taken)),
    'No project is created when the name is taken': [
      creates('acme-owner', { name: 'mobile APP' }, taken),
      creates('acme-owner', { name: 'Mobile app', description: 'Replaced' }, taken),
    ],
    'A name stays taken, whatever status its project gets, and the project is in the list': words(
      'paused completed archived deleted inactive hidden cancelled draft private',
    ).flatMap((status) => [
      updates('acme-owner', own, { status }),
      creates('acme-owner', { name: 'mobile app' }, taken),
      lists('acme-viewer'),
    ]),
    'The old name of a renamed project is free again': [
      updates('acme-owner', own, { name: 'Tablet app' }),
      creates('acme-owner', { name: 'Mobile app' }),
      updates('acme-owner', own, { name: 'mobile app' }, taken),
    ],
  }),
  ...table('4.3 update a project', {
    'A project may not take the name of another one, and stays unchanged': [
      updates('acme-owner', own, { name: 'WEBSITE relaunch', status: 'active' }, taken),
      updates('acme-owner', own, {}),
    ],
  }),
]
