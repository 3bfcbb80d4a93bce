import type { Case } from './case.js'
import { create, list, own, table, taken, update, updateEarlier, words } from './steps.js'

// Names are unique in a team, compared without regard to case (4.1, rule 1; section 8).

/** Names that differ only in case or normalisation; a number keeps the pairs apart. */
const pairs =
  `Roadmap=ROADMAP|Roadmap=roadmap|ÄPFEL=äpfel|STRASSE=straße|STRAẞE=straße|STRAẞE=strasse|ΟΔΟΣ=οδος
οδός=ΟΔΌΣ|ῒ=Ϊ̀|ﬁnance=FINANCE|café=cafe\u0301|CAFE\u0301=café|Å=\u212b|ſısı\u212aµ=SISIkμ
ПРОЕКТꙀԱԵՒǄႠᲐᎠꮝⅣⒶＡŁĐȘỞÆØⲀⰀ𐐀𐒰𞤀=проектꙁաեւǆⴀაꭰᏍⅳⓐａłđșởæøⲁⰰ𐐨𐓘𞤢`
    .split(/[|\n]/)
    .concat(`${'n'.repeat(2000)}=${'N'.repeat(2000)}`)
    .map((pair, i) => pair.split('=').map((name) => `${i} ${name}`))

/** Names that are different: nothing is trimmed, and no language has special rules. */
const different = [
  ...'Roadmap|Roadmap | Roadmap|Road map|Road  map|Road-map|Road_map|Roadmap.|Roadmaps|Rοadmap'.split('|'),
  ...['Äpfel', 'Apfel', 'Aepfel', 'a', 'а', '1', '１', '01', 'x', 'x\u200b'],
  ...'か🍣İÆø☺|カ🍣İÆø☺|か🍺İÆø☺|か🍣iÆø☺|か🍣İAEø☺|か🍣İÆo☺|か🍣İÆø☺\ufe0f|か🍣İÆø☺\u00ad'.split('|'),
  ...['a', 'b'].map((end) => `${'n'.repeat(1100)}${end}`),
]

export const nameCases: Case[] = [
  ...table('bodies: names are compared by their keys', {
    'Names that differ in case or normalisation are the same name': [
      pairs.map(([name]) => create('acme-owner', { name })),
      pairs.map(([, name]) => create('acme-member', { name }, taken)),
      pairs.map(([, name]) => update('acme-owner', own, { name }, taken)),
      pairs.map(([, name]) => create('globex-owner', { name })),
      pairs.map(([, name], i) => updateEarlier('acme-owner', i, { name })),
      pairs.map(([name]) => create('acme-owner', { name }, taken)),
    ],
    'Names that only look alike are different names': [
      ...different.map((name) => create('acme-owner', { name })),
      ...different.map((name) => update('acme-owner', own, { name: `${name}!` })),
    ],
    'A project may take its own name again, in the same or another case': [
      update('acme-owner', own, { name: 'MOBILE app' }),
      update('acme-owner', own, { name: 'MOBILE app' }),
      create('acme-owner', { name: 'Mobile App' }, taken),
      update('acme-owner', own, { name: 'mobile APP', description: 'd', status: 's' }),
    ],
  }),
  ...table('4.1 rule 1: names are unique in a team without regard to case', {
    'The name of an existing project is taken, whatever its status, and none is created or changed': [
      ...['Website relaunch', 'MOBILE APP', 'äPFEL & bIRNEN', 'data WAREHOUSE'].map((name) => ({ name })),
      { name: 'Mobile app', description: 'Replaced' },
    ].map((json) => create('acme-owner', json, taken)),
    'A name stays taken, whatever status its project gets, and the project is in the list': words(
      'paused completed archived deleted inactive hidden cancelled draft private',
    ).flatMap((status) => [
      update('acme-owner', own, { status }),
      create('acme-owner', { name: 'mobile app' }, taken),
      list('acme-viewer'),
    ]),
    'The old name of a renamed project is free again': [
      update('acme-owner', own, { name: 'Tablet app' }),
      create('acme-owner', { name: 'Mobile app' }),
      update('acme-owner', own, { name: 'mobile app' }, taken),
    ],
    'A project may not take the name of another one, and stays unchanged': [
      update('acme-owner', own, { name: 'WEBSITE relaunch', status: 'active' }, taken),
      update('acme-owner', own, {}),
    ],
  }),
]
