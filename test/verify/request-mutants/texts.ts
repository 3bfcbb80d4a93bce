import { withRequestJson } from '../broken-server-proxy.js'
import { fieldsOf, invalidName, type Misbehaviour } from '../misbehaviours/misbehaviour.js'
import { type Effect, is, mutant, withStatus } from './request-mutant.js'

// A text that a server refuses or changes.

const fields = [
  ['createProject', 'name'],
  ['createProject', 'description'],
  ['updateProject', 'name'],
  ['updateProject', 'description'],
  ['updateProject', 'status'],
] as const

/** Stores the text after a change. */
const storing =
  (field: string, change: (text: string) => string): Effect =>
  (request, send) =>
    send(
      withRequestJson(request, { ...fieldsOf(request), [field]: change(String(fieldsOf(request)[field])) }),
    )

type TextFault = {
  what: string
  when: (text: string) => boolean
  change?: (text: string) => string
  status?: number
  only?: string
}

const changed = (what: string, change: (text: string) => string, only?: string): TextFault => ({
  what,
  when: (text) => change(text) !== text && change(text) !== '',
  change,
  ...(only && { only }),
})
const refused = (what: string, when: (text: string) => boolean): TextFault => ({ what, when })

const faults: TextFault[] = [
  ...[50, 100, 128, 255, 1000, 1024, 4096, 10_000].map((length) =>
    refused(`of more than ${length} characters are refused`, (text) => text.length > length),
  ),
  ...[64, 200, 500, 2000, 5000].map((length) =>
    changed(`of more than ${length} characters are cut`, (text) => text.slice(0, length)),
  ),
  changed('are normalised to NFC', (text) => text.normalize('NFC')),
  changed('are normalised to NFKC', (text) => text.normalize('NFKC')),
  changed('have CRLF as LF', (text) => text.replaceAll('\r\n', '\n')),
  changed('have LF as CRLF', (text) => text.replace(/(?<!\r)\n/g, '\r\n')),
  changed('have a tab as a space', (text) => text.replaceAll('\t', ' ')),
  changed('have repeated spaces as one', (text) => text.replace(/ {2,}/g, ' ')),
  changed('lose white space at their end', (text) => text.trimEnd()),
  changed('lose white space at their start', (text) => text.trimStart()),
  changed('have a no-break space as a space', (text) => text.replaceAll('\u00a0', ' ')),
  changed('lose zero-width characters', (text) => text.replace(/\u200b|\u200d|\ufeff/g, '')),
  changed('lose bidirectional controls', (text) => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')),
  changed('lose control characters', (text) => text.replace(/(?![\t\r\n])\p{Cc}/gu, '')),
  changed('lose HTML tags', (text) => text.replace(/<[^>]*>/g, '')),
  changed('have HTML escaped', (text) => text.replaceAll('<', '&lt;')),
  changed('have entities decoded', (text) => text.replaceAll('&amp;', '&')),
  changed('are percent-decoded', (text) => text.replaceAll('%20', ' ')),
  changed('have plus signs as spaces', (text) => text.replaceAll('+', ' ')),
  changed('have quotes doubled', (text) => text.replaceAll("'", "''")),
  changed('lose backslashes', (text) => text.replaceAll('\\', '')),
  changed('have the first letter in capitals', (text) =>
    text.replace(/^[a-z]/, (letter) => letter.toUpperCase()),
  ),
  changed('lose characters beyond the basic plane', (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '')),
  changed('have dollar signs doubled', (text) => text.replaceAll('$', '$$$$')),
  changed('have typographic quotes', (text) => text.replaceAll('"', '”')),
  refused('that look like numbers are refused', (text) => /^\d+$/.test(text)),
  refused('that are "null" are refused', (text) => text === 'null'),
  refused('that are "true" are refused', (text) => text === 'true'),
  refused('with an emoji are refused', (text) => /\p{Extended_Pictographic}/u.test(text)),
  refused('with a slash are refused', (text) => text.includes('/')),
  refused('with a line break are refused', (text) => text.includes('\n')),
  refused('of another script are refused', (text) =>
    /\p{Script=Cyrillic}|\p{Script=Han}|\p{Script=Arabic}/u.test(text),
  ),
  refused('of white space alone are refused', (text) => text.trim() === '' && text !== ''),
  { what: 'with a quote are an error', when: (text) => text.includes("'"), status: 500 },
  { what: 'with a percent sign are an error', when: (text) => text.includes('%'), status: 500 },
  { what: 'with a formula are refused', when: (text) => /^[=+@-]/.test(text) },
]

export const textMutants: Misbehaviour[] = faults.flatMap(({ what, when, change, status }) =>
  fields.map(([operation, field]) =>
    mutant(
      `${operation}: texts of ${field} ${what}`,
      (request) => {
        const value = fieldsOf(request)[field]
        return is(operation)(request) && typeof value === 'string' && when(value)
      },
      change
        ? storing(field, change)
        : status
          ? withStatus(status)
          : (request, send) => invalidName(request, send),
    ),
  ),
)
