import type { Case } from './case.js'
import { created, failure, ownProjectWith, projectIn, updated } from './expectations.js'
import { create, list, own, step, update } from './requests.js'

// Names are unique in a team, compared without regard to case (4.1, rule 1; section 8).

/** Names that differ only in case or normalisation. */
const equal: [string, string][] = [
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

/** Names that are different: nothing is trimmed, and no language has special rules. */
const different: [string, string][] = [
  ['Roadmap', 'Roadmap '],
  ['Roadmap', ' Roadmap'],
  ['Roadmap', 'Road map'],
  ['Äpfel', 'Apfel'],
  ['a', 'а'],
  ['1', '１'],
  ['x', 'x\u200b'],
]

export const nameCases: Case[] = [
  ...equal.map(
    ([first, second]): Case => ({
      title: `"${first}" and "${second}" are the same name`,
      requirement: 'bodies: names are compared by their keys',
      steps: [
        step(create('acme-owner', { name: first }), created({ name: first })),
        step(create('acme-member', { name: second }), failure('PROJECT_NAME_TAKEN')),
        step(update('acme-owner', own, { name: second }), failure('PROJECT_NAME_TAKEN')),
        step(create('globex-owner', { name: second }), created({ name: second }, 'globex-owner')),
        step(
          ({ responses }) => update('acme-owner', projectIn(responses[0]).id, { name: second }),
          updated({ name: second }),
        ),
        step(create('acme-owner', { name: first }), failure('PROJECT_NAME_TAKEN')),
      ],
    }),
  ),
  ...different.map(
    ([first, second]): Case => ({
      title: `"${first}" and "${second}" are different names`,
      requirement: 'bodies: names are compared by their keys',
      steps: [
        step(create('acme-owner', { name: first }), created({ name: first })),
        step(create('acme-owner', { name: second }), created({ name: second })),
      ],
    }),
  ),
  {
    title: 'The name of an existing project is taken, whatever its status',
    requirement: '4.1 rule 1: names are unique in a team without regard to case',
    steps: ['Website relaunch', 'MOBILE APP', 'äPFEL & bIRNEN', 'data WAREHOUSE'].map((name) =>
      step(create('acme-owner', { name }), failure('PROJECT_NAME_TAKEN')),
    ),
  },
  {
    title: 'No project is created when the name is taken',
    requirement: '4.1 rule 1: names are unique in a team without regard to case',
    steps: [
      step(list('acme-owner'), { status: 200 }),
      step(create('acme-owner', { name: 'mobile APP' }), failure('PROJECT_NAME_TAKEN')),
      step(list('acme-owner'), ({ responses }) => ({ status: 200, body: responses[0]?.json as object })),
    ],
  },
  {
    title: 'A project may take its own name again, in the same or another case',
    requirement: 'bodies: names are compared by their keys',
    steps: [
      step(update('acme-owner', own, { name: 'MOBILE app' }), updated({ name: 'MOBILE app' })),
      step(update('acme-owner', own, { name: 'MOBILE app' }), updated({ name: 'MOBILE app' })),
      step(create('acme-owner', { name: 'Mobile App' }), failure('PROJECT_NAME_TAKEN')),
    ],
  },
  {
    title: 'A project may not take the name of another one, and stays unchanged',
    requirement: '4.3 update a project',
    steps: [
      step(
        update('acme-owner', own, { name: 'WEBSITE relaunch', status: 'active' }),
        failure('PROJECT_NAME_TAKEN'),
      ),
      step(update('acme-owner', own, {}), ownProjectWith()),
    ],
  },
  {
    title: 'The old name of a renamed project is free again',
    requirement: '4.1 rule 1: names are unique in a team without regard to case',
    steps: [
      step(update('acme-owner', own, { name: 'Tablet app' }), updated({ name: 'Tablet app' })),
      step(create('acme-owner', { name: 'Mobile app' }), created({ name: 'Mobile app' })),
      step(update('acme-owner', own, { name: 'mobile app' }), failure('PROJECT_NAME_TAKEN')),
    ],
  },
]
