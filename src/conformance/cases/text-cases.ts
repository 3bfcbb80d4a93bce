import type { Case } from './case.js'
import { bundle, create, list, own, table, taken, update, updateEarlier, words } from './steps.js'

// Names, descriptions and statuses are stored as sent, whatever is in them (2.1, 4.1, 4.3).

const texts = [
  ...words('null undefined true false NaN 0 42 -1 007 1e5 __proto__ constructor new me'),
  ...words('=1+1 -x @sum / ../../etc/passwd [] admin root system api test default settings ada@example.com'),
  ...words(
    'https://example.com/ 2026-01-31 2026-01-31T12:00:00Z 4111111111111111 ... (c) :smile: [a](b) **b** "word" &nbsp; \u0663 \u1112\u1161\u11ab',
  ),
  ...['\u00a0', '\u3000', '\u200b', '\u2028', '.', '?!', '😀', '\u0301'],
  ...[' ', '\t', '  Fresh  ', '\r\nb\r\n', '\rc', 'a\nb\n', '+1 +a'],
  'two  spaces\tand a tab\u00a0\u2028\u2029\u3000',
  '\u0001\u0008\u000b\u000c\u000e\u001f\u007f\u0085\u009f \uffff\ufffe\ufffd\ue000',
  '\ufeffmark x\u200b\u200c\u200d\u2060\u00adx \u202eright to left\u202c \u2066isolated\u2069 \u200e\u200f\u061c',
  '\u034f\u115f\u3164\ufff9\u{1fffe}\u{e0067}\u{e007f}',
  '👩‍👩‍👧‍👦 🏳️‍🌈 ☺️ 𝒳 𐐷 \u{10ffff}',
  'Cafe\u0301 A\u030a \u212b \u1e9b\u0323 ﬁ ² ½ ｆｕｌｌ',
  'İstanbul ısı ẞß ΟΔΟΣ οδος Проект 项目 مشروع פרויקט プロジェクト โครงการ',
  'a'.concat('\u0301'.repeat(60)),
  'Robert\'); DROP TABLE projects;-- "quoted" `back` “typographic” … -- ---',
  '%_\\ %s %d %20 %zz $'.concat('{x} {{7*7}} $1 $$ $& \\n \\u0041 \\0 C:\\temp\\new\\'),
  '{"name":"x"}',
  '<script>alert(1)</script><b>bold</b>&amp;&lt;&#39;',
  '2026-01-31T12:00:00.000Z https://example.com/?a=b&c=d#e ada@example.com',
  'lower camelCase PascalCase UPPER',
  'a;b,c|d:e #hash !bang ~tilde ^caret *star? (round) [square],',
  ...[51, 65, 101, 129, 256, 257, 501, 1001, 1025].map((length) => `${length} `.padEnd(length, 'abcdefghi ')),
]

const longTexts = [2001, 4097, 8193, 16_385, 20_000].map((length) => `${length} `.padEnd(length, 'n'))
/** The ends of chunks divide characters of the second. */
const [longest, euros] = ['x'.repeat(65_000), 'xxx'.padEnd(21_000, '€')]

const changesOf = (text: string) => ({ name: text, description: text, status: text })

const readsAll = [list('acme-viewer'), bundle('acme-viewer')]

export const textCases: Case[] = [
  ...table('bodies: names are stored as sent', {
    'Texts of creations and of updates are stored as sent': [
      texts.map((text) => create('acme-owner', { name: text, description: text })),
      ...readsAll,
      texts.map((name) => create('acme-member', { name }, taken)),
      texts.map((_, i) => updateEarlier('acme-member', i, changesOf(`Text ${i}`))),
      texts.map((text, i) => updateEarlier('acme-owner', (i + 1) % texts.length, changesOf(text))),
      ...readsAll,
    ],
    'A text may change to one that differs in a space, in case or in its form': [
      ...['Café', 'Cafe\u0301', 'CAFÉ', 'Café ', ' Café', 'Caf\u00e9'].map((text) =>
        update('acme-owner', own, changesOf(text)),
      ),
      list('acme-member'),
    ],
  }),
  ...table('8 names have at least one character and no maximum', {
    'Texts may be long': [
      ...longTexts.map((text) => update('acme-owner', own, changesOf(text))),
      ...['name', 'description', 'status'].map((field) => update('acme-owner', own, { [field]: longest })),
      ...readsAll,
      create('acme-owner', { name: `${longest}y` }),
      create('acme-owner', { name: 'Long', description: euros }),
      // The project stays, in every list of the run.
      updateEarlier('acme-owner', -1, { description: '' }),
      update('acme-owner', own, { name: 'n', description: 'd', status: 's' }),
    ],
  }),
]
