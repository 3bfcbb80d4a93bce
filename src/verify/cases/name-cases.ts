import type { Case } from './case.js'
import { created, mineWith, projectIn, refused, updated } from './expectations.js'
import { create, list, mine, step, update } from './requests.js'

// Names are unique in a team, compared without regard to case (4.1 rule 1, section 8).

/** Names that are the same to a reader who does not look at the case. */
const clashing: [string, string][] = [
  ['Roadmap', 'ROADMAP'],
  ['Roadmap', 'roadmap'],
  ['ÄPFEL', 'äpfel'],
  ['STRASSE', 'straße'],
  ['STRAẞE', 'straße'],
  ['STRAẞE', 'strasse'],
  ['ΟΔΟΣ', 'οδος'],
  ['οδός', 'ΟΔΌΣ'],
  ['ῒ', 'Ϊ̀'],
  ['ПРОЕКТ', 'проект'],
  ['Ǆ', 'ǆ'],
  ['ﬁnance', 'FINANCE'],
  ['𐐀', '𐐨'],
  ['café', 'cafe\u0301'],
  ['CAFE\u0301', 'café'],
  ['Å', '\u212b'],
]

/** Names that are not: nothing is trimmed, and the rules are no language's own. */
const apart: [string, string][] = [
  ['Roadmap', 'Roadmap '],
  ['Roadmap', ' Roadmap'],
  ['Roadmap', 'Road map'],
  ['Äpfel', 'Apfel'],
  ['a', 'а'],
  ['1', '１'],
  ['x', 'x\u200b'],
]

export const nameCases: Case[] = [
  ...clashing.map(
    ([first, second]): Case => ({
      title: `"${first}" and "${second}" are one name`,
      requirement: 'bodies: names clash by their keys',
      steps: [
        step(create('acme-owner', { name: first }), created({ name: first })),
        step(create('acme-member', { name: second }), refused('PROJECT_NAME_TAKEN')),
        step(update('acme-owner', mine, { name: second }), refused('PROJECT_NAME_TAKEN')),
        step(create('globex-owner', { name: second }), created({ name: second }, 'globex-owner')),
        step(
          ({ answers }) => update('acme-owner', projectIn(answers[0]).id, { name: second }),
          updated({ name: second }),
        ),
        step(create('acme-owner', { name: first }), refused('PROJECT_NAME_TAKEN')),
      ],
    }),
  ),
  ...apart.map(
    ([first, second]): Case => ({
      title: `"${first}" and "${second}" are two names`,
      requirement: 'bodies: names clash by their keys',
      steps: [
        step(create('acme-owner', { name: first }), created({ name: first })),
        step(create('acme-owner', { name: second }), created({ name: second })),
      ],
    }),
  ),
  {
    title: 'The name of a project of the fixture is taken, whatever its status',
    requirement: '4.1 rule 1: names are unique in a team without regard to case',
    steps: ['Website relaunch', 'MOBILE APP', 'äPFEL & bIRNEN', 'data WAREHOUSE'].map((name) =>
      step(create('acme-owner', { name }), refused('PROJECT_NAME_TAKEN')),
    ),
  },
  {
    title: 'No project is created when the name is taken',
    requirement: '4.1 rule 1: names are unique in a team without regard to case',
    steps: [
      step(list('acme-owner'), { status: 200 }),
      step(create('acme-owner', { name: 'mobile APP' }), refused('PROJECT_NAME_TAKEN')),
      step(list('acme-owner'), ({ answers }) => ({ status: 200, body: answers[0]?.json as object })),
    ],
  },
  {
    title: 'A project takes its own name in another case, and its very name again',
    requirement: 'bodies: names clash by their keys',
    steps: [
      step(update('acme-owner', mine, { name: 'MOBILE app' }), updated({ name: 'MOBILE app' })),
      step(update('acme-owner', mine, { name: 'MOBILE app' }), updated({ name: 'MOBILE app' })),
      step(create('acme-owner', { name: 'Mobile App' }), refused('PROJECT_NAME_TAKEN')),
    ],
  },
  {
    title: 'A project does not take the name of another one, and stays as it was',
    requirement: '4.3 update a project',
    steps: [
      step(
        update('acme-owner', mine, { name: 'WEBSITE relaunch', status: 'active' }),
        refused('PROJECT_NAME_TAKEN'),
      ),
      step(update('acme-owner', mine, {}), mineWith()),
    ],
  },
  {
    title: 'A name that was given up is free again',
    requirement: '4.1 rule 1: names are unique in a team without regard to case',
    steps: [
      step(update('acme-owner', mine, { name: 'Tablet app' }), updated({ name: 'Tablet app' })),
      step(create('acme-owner', { name: 'Mobile app' }), created({ name: 'Mobile app' })),
      step(update('acme-owner', mine, { name: 'mobile app' }), refused('PROJECT_NAME_TAKEN')),
    ],
  },
]
