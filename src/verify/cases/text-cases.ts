import * as z from 'zod'
import type { Case, CaseContext } from './case.js'
import {
  allProjects,
  created,
  failure,
  listWhere,
  ownProjectWith,
  projectIn,
  updated,
} from './expectations.js'
import { bundle, create, given, list, own, step, update } from './requests.js'

// Names, descriptions and statuses are stored as sent, whatever is in them (2.1, 4.1, 4.3).

const texts = [
  ...[
    'null',
    'undefined',
    'true',
    'false',
    'NaN',
    '0',
    '42',
    '-1',
    '007',
    '1e5',
    '__proto__',
    'constructor',
    'new',
    'me',
  ],
  ...[
    ' ',
    '\t',
    '  Fresh  ',
    '\r\nb\r\n',
    '\rc',
    'a\nb\n',
    '=1+1',
    '+1 +a',
    '-x',
    '@sum',
    '/',
    '../../etc/passwd',
    '[]',
  ],
  'two  spaces\tand a tab\u00a0\u2028\u2029\u3000',
  '\u0001\u0008\u000b\u000e\u001f\u007f\u0085\u009f \uffff\ufffe\ufffd\ue000',
  '\ufeffmark x\u200b\u200c\u200d\u2060\u00adx \u202eright to left\u202c \u2066isolated\u2069',
  '👩‍👩‍👧‍👦 🏳️‍🌈 ☺️ 𝒳 𐐷 \u{10ffff}',
  'Cafe\u0301 A\u030a \u212b \u1e9b\u0323 ﬁ ² ½ ｆｕｌｌ',
  'İstanbul ısı ẞß ΟΔΟΣ οδος Проект 项目 مشروع פרויקט プロジェクト โครงการ',
  'a'.concat('\u0301'.repeat(60)),
  'Robert\'); DROP TABLE projects;-- "quoted" `back` “typographic” … -- ---',
  '%_\\ %s %d %20 %zz $'.concat('{x} {{7*7}} $1 $$ $& \\n \\u0041 \\0 C:\\temp\\new'),
  '{"name":"x"}',
  '<script>alert(1)</script><b>bold</b>&amp;&lt;&#39;',
  '2026-01-31T12:00:00.000Z https://example.com/?a=b&c=d#e ada@example.com',
  'lower camelCase PascalCase UPPER',
  'a;b,c|d:e #hash !bang ~tilde ^caret *star? (round) [square]',
  ...[51, 65, 101, 129, 256, 257, 501, 1001, 1025].map((length) => `${length} `.padEnd(length, 'abcdefghi ')),
]

const longTexts = [2001, 4097, 8193, 16_385, 20_000].map((length) => `${length} `.padEnd(length, 'n'))

const longest = 'n'.repeat(65_000)

/** The last responses are a list and a bundle with these projects, each with a text as name and description. */
const allStored = (expected: readonly string[], status: (text: string) => string) => [
  step(
    list('acme-viewer'),
    listWhere(
      (projects) =>
        expected.every((text) =>
          projects.some(
            (project) =>
              project.name === text && project.description === text && project.status === status(text),
          ),
        ),
      'expected each text as it was sent',
    ),
  ),
  step(bundle('acme-viewer'), {
    status: 200,
    body: z
      .looseObject({ projects: z.array(z.object({ name: z.string() })) })
      .refine(({ projects }) => expected.every((text) => projects.some(({ name }) => name === text)), {
        error: 'expected each text as it was sent',
      }),
  }),
]

/** A request that changes all three fields of a project that an earlier step has created. */
const setAll = (i: number, text: string) =>
  step(
    ({ responses }: CaseContext) =>
      update('acme-owner', projectIn(responses[i]).id, { name: text, description: text, status: text }),
    updated({ name: text, description: text, status: text }),
  )

export const textCases: Case[] = [
  given(
    'Texts of creations and of updates are stored as sent',
    'bodies: names are stored as sent',
    {
      concurrent: texts.map((text) =>
        step(
          create('acme-owner', { name: text, description: text }),
          created({ name: text, description: text }),
        ),
      ),
    },
    ...allStored(texts, () => 'active'),
    {
      concurrent: texts.map((name) => step(create('acme-member', { name }), failure('PROJECT_NAME_TAKEN'))),
    },
    {
      concurrent: texts.map((name) =>
        step(update('acme-owner', own, { name }), failure('PROJECT_NAME_TAKEN')),
      ),
    },
    { concurrent: texts.map((_, i) => setAll(i, `Text ${i}`)) },
    { concurrent: texts.map((text, i) => setAll((i + 1) % texts.length, text)) },
    ...allStored(texts, (text) => text),
  ),
  given(
    'Texts may be long',
    '8 names have at least one character and no maximum',
    ...longTexts.map((text) =>
      step(
        update('acme-owner', own, { name: text, description: text, status: text }),
        ownProjectWith({ name: text, description: text, status: text }),
      ),
    ),
    ...(['name', 'description', 'status'] as const).map((field) => {
      const text = field.padEnd(65_000, 'n')
      return step(update('acme-owner', own, { [field]: text }), updated({ [field]: text }))
    }),
    step(create('acme-owner', { name: longest }), created({ name: longest })),
    step(create('acme-owner', { name: 'Long', description: longest }), created({ description: longest })),
    // The project stays, in every list of the run.
    step(
      ({ responses }) => update('acme-owner', projectIn(responses.at(-1)).id, { description: '' }),
      updated(),
    ),
    step(update('acme-owner', own, { name: 'n', description: 'd', status: 's' }), updated()),
  ),
  given(
    'A text may change to one that differs in a space, in case or in its form',
    'bodies: names are stored as sent',
    ...['Café', 'Cafe\u0301', 'CAFÉ', 'Café ', ' Café', 'Caf\u00e9'].map((text) =>
      step(
        update('acme-owner', own, { name: text, description: text, status: text }),
        ownProjectWith({ name: text, description: text, status: text }),
      ),
    ),
    step(
      list('acme-member'),
      allProjects('acme-member', { name: 'Café', description: 'Café', status: 'Café' }),
    ),
  ),
]
