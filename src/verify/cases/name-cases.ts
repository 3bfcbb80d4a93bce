import type { Case } from './case.js'
import { created, failure, ownProjectWith, projectIn, updated } from './expectations.js'
import { create, given, list, own, step, update } from './requests.js'

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
const different = [
  'Roadmap',
  'Roadmap ',
  ' Roadmap',
  'Road map',
  'Road  map',
  'Road-map',
  'Road_map',
  'Roadmap.',
  'Roadmaps',
  'Rοadmap',
  'Äpfel',
  'Apfel',
  'Aepfel',
  'a',
  'а',
  '1',
  '１',
  '01',
  'x',
  'x\u200b',
]

export const nameCases: Case[] = [
  ...equal.map(
    ([first, second]): Case =>
      given(
        `"${first}" and "${second}" are the same name`,
        'bodies: names are compared by their keys',
        step(create('acme-owner', { name: first }), created({ name: first })),
        step(create('acme-member', { name: second }), failure('PROJECT_NAME_TAKEN')),
        step(update('acme-owner', own, { name: second }), failure('PROJECT_NAME_TAKEN')),
        step(create('globex-owner', { name: second }), created({ name: second }, 'globex-owner')),
        step(
          ({ responses }) => update('acme-owner', projectIn(responses[0]).id, { name: second }),
          updated({ name: second }),
        ),
        step(create('acme-owner', { name: first }), failure('PROJECT_NAME_TAKEN')),
      ),
  ),
  given(
    'Names that only look alike are different names',
    'bodies: names are compared by their keys',
    ...different.map((name) => step(create('acme-owner', { name }), created({ name }))),
    ...different.map((name) =>
      step(update('acme-owner', own, { name: `${name}!` }), updated({ name: `${name}!` })),
    ),
  ),
  given(
    'The name of an existing project is taken, whatever its status',
    '4.1 rule 1: names are unique in a team without regard to case',
    ...['Website relaunch', 'MOBILE APP', 'äPFEL & bIRNEN', 'data WAREHOUSE'].map((name) =>
      step(create('acme-owner', { name }), failure('PROJECT_NAME_TAKEN')),
    ),
  ),
  given(
    'No project is created when the name is taken',
    '4.1 rule 1: names are unique in a team without regard to case',
    step(list('acme-owner'), { status: 200 }),
    step(create('acme-owner', { name: 'mobile APP' }), failure('PROJECT_NAME_TAKEN')),
    step(list('acme-owner'), ({ responses }) => ({ status: 200, body: responses[0]?.json as object })),
  ),
  given(
    'A project may take its own name again, in the same or another case',
    'bodies: names are compared by their keys',
    step(update('acme-owner', own, { name: 'MOBILE app' }), updated({ name: 'MOBILE app' })),
    step(update('acme-owner', own, { name: 'MOBILE app' }), updated({ name: 'MOBILE app' })),
    step(create('acme-owner', { name: 'Mobile App' }), failure('PROJECT_NAME_TAKEN')),
  ),
  given(
    'A project may not take the name of another one, and stays unchanged',
    '4.3 update a project',
    step(
      update('acme-owner', own, { name: 'WEBSITE relaunch', status: 'active' }),
      failure('PROJECT_NAME_TAKEN'),
    ),
    step(update('acme-owner', own, {}), ownProjectWith()),
  ),
  given(
    'The old name of a renamed project is free again',
    '4.1 rule 1: names are unique in a team without regard to case',
    step(update('acme-owner', own, { name: 'Tablet app' }), updated({ name: 'Tablet app' })),
    step(create('acme-owner', { name: 'Mobile app' }), created({ name: 'Mobile app' })),
    step(update('acme-owner', own, { name: 'mobile app' }), failure('PROJECT_NAME_TAKEN')),
  ),
]
