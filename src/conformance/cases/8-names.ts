import type { Case } from '../case.js'
import { expectEqual, expectError, expectInvalid } from '../expect.js'
import { create, update } from '../requests.js'

// 8. Names have at least one character, and are unique in a team without regard to case; creations take no other
// properties. Texts are stored as sent.

/** Names that differ in case or normalisation alone. */
const alike = [
  ['Roadmap', 'ROADMAP'],
  ['ÄPFEL', 'äpfel'],
  ['STRASSE', 'straße'],
  ['STRAẞE', 'strasse'],
  ['ΟΔΟΣ', 'οδος'],
  ['οδός', 'ΟΔΌΣ'],
  ['ﬁnance', 'FINANCE'],
  ['café', 'cafe\u0301'],
  ['CAFE\u0301', 'café'],
  ['Å', '\u212b'],
  ['ſısı\u212aµ', 'SISIkμ'],
  ['ПРОЕКТꙀԱԵՒǄႠᲐᎠⅣⒶＡŁĐØⲀ𐐀𞤀', 'проектꙁաեւǆⴀაꭰⅳⓐａłđøⲁ𐐨𞤢'],
  ['n'.repeat(2000), 'N'.repeat(2000)],
] as const

/** Names that only look alike: nothing is trimmed, and no language has special rules. */
const different = [
  ['Roadmap', 'Roadmap ', ' Roadmap', 'Road map', 'Road-map', 'Roadmap.', 'Roadmaps', 'Rοadmap'],
  ['Äpfel', 'Apfel', 'Aepfel'],
  ['a', 'а'],
  ['1', '１', '01'],
  ['x', 'x\u200b'],
  // Characters with a meaning in patterns of SQL and in regular expressions.
  ['abc', 'a_c', 'a%', 'axc', 'a.c', 'a*', '.*'],
  ['かİÆø☺', 'カİÆø☺', 'かiÆø☺', 'かİAEø☺', 'かİÆo☺', 'かİÆø☺\ufe0f'],
  [`${'n'.repeat(1100)}a`, `${'n'.repeat(1100)}b`],
]

const texts = [
  'null',
  '__proto__',
  '0',
  '=1+1',
  '[]',
  '../../etc/passwd',
  '2026-01-31T12:00:00.000Z',
  'https://example.com/?a=b&c=d#e',
  ' ',
  '\t',
  '  two  spaces  ',
  'a\r\nb\n',
  '\u00a0\u2028\u2029\u3000',
  '\u0001\u0008\u000b\u001f\u007f\u0085\uffff\ufeff',
  '\u200b\u202eright to left\u202c\u2066isolated\u2069',
  '👩‍👩‍👧‍👦 🏳️‍🌈 𝒳 \u{10ffff}',
  'Cafe\u0301 \u212b ﬁ ½ ｆｕｌｌ İstanbul ẞ ΟΔΟΣ Проект 项目 مشروع',
  `a${'\u0301'.repeat(60)}`,
  'Robert\'); DROP TABLE projects;-- "quoted"',
  '%_\\ %s %20 %zz {{7*7}} $1 $& \\n \\u0041',
  '{"name":"x"}',
  '<script>alert(1)</script>&amp;',
  'x'.repeat(1025),
]

export const nameCases: Case[] = [
  {
    title: 'Names that differ in case or normalisation are the same name',
    requirement: 'bodies: names are compared by their keys',
    write: true,
    async play({ send, newName, newProject, change }) {
      const other = await newProject()
      for (const [name, same] of alike) {
        const suffix = newName('')
        const project = await newProject({ name: name + suffix })
        expectError(await send(create('member', { name: same + suffix })), 'PROJECT_NAME_TAKEN')
        expectError(await send(update('owner', other.id, { name: same + suffix })), 'PROJECT_NAME_TAKEN')
        await change(project, { name: same + suffix })
        expectError(await send(create('owner', { name: name + suffix })), 'PROJECT_NAME_TAKEN')
      }
    },
  },
  {
    title: 'Names that only look alike are different names',
    requirement: 'bodies: names are compared by their keys',
    write: true,
    async play({ newName, newProject, change }) {
      for (const names of different) {
        const prefix = newName('')
        let last = await newProject()
        for (const name of names) last = await newProject({ name: prefix + name + prefix })
        for (const name of names) last = await change(last, { name: `${prefix}: ${name}` })
        for (const name of names.slice(0, -1)) await newProject({ name: `${prefix}: ${name}` })
      }
    },
  },
  {
    title: 'Names and descriptions are stored as sent, whatever is in them, and the list has them so',
    requirement: 'bodies: names are stored as sent',
    write: true,
    async play({ newName, newProject, change, projectsOf, bundleOf }) {
      for (const text of texts) {
        const name = newName(text)
        const created = await newProject({ name, description: text })
        expectEqual((await projectsOf('viewer'))[0], created, 'the first project of the list')
        const changed = await change(created, {
          name: `${text}${newName('')}${text}`,
          description: name,
          status: text,
        })
        expectEqual((await projectsOf('viewer'))[0], changed, 'the first project of the list')
        expectEqual(
          (await bundleOf('viewer')).projects[0]?.name,
          changed.name,
          'the first name of the bundle',
        )
      }
    },
  },
  {
    title: 'A text may change to one that differs in a space, in case or in its form',
    requirement: 'bodies: names are stored as sent',
    write: true,
    async play({ newName, newProject, change }) {
      const suffix = newName('')
      let project = await newProject({ name: `Café${suffix}` })
      for (const text of ['Cafe\u0301', 'CAFÉ', 'Café ', ' Café', 'Café'])
        project = await change(project, { name: text + suffix, description: text, status: text })
    },
  },
  {
    title: 'Names, descriptions and statuses may be as long as a body',
    requirement: '8 names have at least one character and no maximum',
    write: true,
    async play({ newName, newProject, change }) {
      const long = newName('x'.repeat(65_000))
      let project = await newProject({ name: long })
      for (const field of ['description', 'status']) project = await change(project, { [field]: long })
      // The end of a chunk divides a character.
      project = await change(project, { description: 'xxx'.padEnd(21_000, '€') })
      // The project stays, in every list of the run.
      await change(project, { name: newName(), description: '', status: 'x' })
    },
  },
  {
    title: 'An empty name is refused',
    requirement: '8 names have at least one character and no maximum',
    write: true,
    async play({ send, newProject, change }) {
      const project = await newProject()
      expectInvalid(await send(create('owner', { name: '' })), ['name'])
      expectInvalid(await send(update('owner', project.id, { name: '' })), ['name'])
      await change(project, {})
    },
  },
  {
    title: 'A creation takes no other properties than name and description',
    requirement: 'bodies: unknown properties are refused',
    write: true,
    async play({ send, newName }) {
      for (const property of [
        'id',
        'teamId',
        'createdAt',
        'status',
        'Name',
        'projectId',
        'constructor',
        'session',
        '',
      ])
        expectInvalid(await send(create('owner', { name: newName(), [property]: 'x' })), [], true)
      const proto = '{"name":"x","__proto__":{"status":"archived"}}'
      const many = JSON.stringify({
        name: 'x',
        ...Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`p${i}`, i])),
      })
      for (const bytes of [proto, many]) expectInvalid(await send({ ...create('owner'), bytes }), [], true)
      expectInvalid(await send(create('owner', { name: '', x: 1 })), ['name'], true)
    },
  },
  {
    title: 'An update takes no other properties than name, description and status',
    requirement: 'bodies: unknown properties are refused',
    write: true,
    async play({ send, newProject, change }) {
      const project = await newProject()
      for (const property of [
        'id',
        'teamId',
        'createdAt',
        'Status',
        'projectId',
        'archived',
        'email',
        '_id',
        '',
      ])
        expectInvalid(await send(update('owner', project.id, { status: 'x', [property]: null })), [], true)
      await change(project, {})
    },
  },
]
