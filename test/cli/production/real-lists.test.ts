import { describe, expect, test } from 'vitest'
import { formatOf } from '../../../src/cli/production/export-formats.js'
import { readAddresses } from '../../../src/cli/production/read-addresses.js'
import type { WaitlistEntry } from '../../../src/store/state-file.js'

const windows1252 = (text: string) => Buffer.from(text, 'latin1')
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')
const withMark = (text: string) => Buffer.from(`\uFEFF${text}`)

/** Files in the forms that services and spreadsheets write, each with the addresses a@x.example and b@x.example. */
const files: Record<string, string | Buffer> = {
  Mailchimp:
    'Email Address,First Name,Last Name,Address,MEMBER_RATING,OPTIN_TIME,NOTES,TAGS\n' +
    'a@x.example,Ann,"""Annie"" Lee","1 Main St\nSuite 2",2,"2026-01-31 12:00:00","asked: ""when?""\nwrite to c@x.example","""beta"",""press"""\n' +
    'b@x.example,Bo,"""Bo""",,2,"2026-01-31 12:00:00",,"""beta"""\n',
  Brevo: withMark(
    'CONTACT ID;EMAIL;FIRSTNAME;LASTNAME;SMS;ADDED_TIME\r\n1;a@x.example;Ann;"Lee; PhD";;31-01-2026 12:00:00\r\n2;b@x.example;;;;\r\n',
  ),
  'Google Forms':
    'Timestamp,Email Address,Who referred you?,Anything else?\n' +
    '2026/01/31 12:00:00 PM GMT+1,a@x.example,c@x.example,"Yes:\n- price, please\n- or write to d@x.example"\n' +
    '2026/01/31 12:00:01 PM GMT+1,b@x.example,,\n',
  'Google Forms in German':
    '"Zeitstempel","E-Mail-Adresse","Frage"\n"31.01.2026 12:00:00","a@x.example",""\n"31.01.2026 12:00:01","b@x.example","„ja“"\n',
  Typeform:
    '#,First name,What is your email address?,Why?,Start Date (UTC),Network ID\n' +
    'k1,Ann,a@x.example,"Line one\nline two, with a comma\n\nme@x.example",2026-01-31 12:00:00,ff\n' +
    'k2,Bo,b@x.example,"He said ""hi""",2026-01-31 12:00:00,ff\n',
  'Excel in the United States': withMark('Name,Email\r\n"Lee, Ann",a@x.example\r\nBo,b@x.example\r\n'),
  'Excel in Germany': windows1252('Name;E-Mail;Größe\r\nJörg;a@x.example;1,80\r\nBjörn;b@x.example;1,75\r\n'),
  'Excel in France, Unicode text': utf16(
    'Nom\tAdresse e-mail\tCommentaire\r\nRené\ta@x.example\t"deux\nlignes"\r\nZoé\tb@x.example\t\r\n',
  ),
  'Numbers, with semicolons': 'Name;E-Mail;\r\nAnn;a@x.example;\r\n;;\r\nBo;b@x.example;\r\n',
  'LibreOffice with quoted text': '"Name","Email"\n"Ann ""A"" Lee","a@x.example"\n"Bo","b@x.example"\n',
}

const emailsOf = async (bytes: Uint8Array, format: 'csv' | 'json' | 'ndjson' = 'csv') => {
  const { valid, refused } = await readAddresses(bytes, format, 100)
  expect(refused).toEqual([])
  return valid
}

test.each(Object.entries(files))('a list of %s goes in whole, and out', async (_, content) => {
  const valid = await emailsOf(Buffer.from(content))
  expect(valid.map(({ email }) => email)).toEqual(['a@x.example', 'b@x.example'])
  for (const format of ['csv', 'json', 'ndjson'] as const) {
    async function* entries() {
      yield* valid
    }
    let text = ''
    for await (const chunk of formatOf<WaitlistEntry>(format, ['email', 'createdAt'])(entries()))
      text += chunk
    expect(await emailsOf(Buffer.from(text), format)).toEqual(valid)
  }
})

describe('a quote that is not closed', () => {
  test.each([
    ['email,n\na@x.example,"B\nb@x.example,"C"\nc@x.example,D\n', 'lines 2 to 3', '(line 3)'],
    ['email\n"a@x.example\nb@x.example\nc@x.example"\n', 'lines 2 to 4', '(line 2, 3, 4)'],
    [
      `n,email\n"A,a@x.example\n${'B,b@x.example\n'.repeat(12)}C",c@x.example\n`,
      'lines 2 to 15',
      '(line 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 3 more)',
    ],
  ])('is found by the records within a cell: %j', async (content, place, reason) => {
    const { refused } = await readAddresses(Buffer.from(content), 'csv', 100)
    expect(refused).toEqual([{ place, reason: expect.stringContaining(reason) }])
  })
})
