import { expect, test } from 'vitest'
import { detailRows } from '../../../../src/cli/terminal/dev/detail-rows.js'
import type { LogDetails } from '../../../../src/mock/core/log-details.js'
import { logEntry, mockSnapshot } from './dev-fixtures.js'

const project = { id: 'a', name: 'A', description: null, status: 'active', teamId: 't', createdAt: '' }
const detailsOf = (changes: Partial<LogDetails>): LogDetails => ({
  ...logEntry(1),
  request: { url: '', headers: {} },
  changes: [],
  fetch: '',
  ...changes,
})
const textsOf = async (changes: Partial<LogDetails>) => {
  const mock = await mockSnapshot({ log: [logEntry(1)], details: detailsOf(changes) })
  return detailRows(mock, 1).map(({ text }) => text)
}

test('a changed record is shown with the fields that changed, one that was removed with all', async () => {
  const changes: LogDetails['changes'] = [
    {
      kind: 'projects',
      key: 'a',
      before: project,
      after: { ...project, name: 'B', description: 'New' },
    },
    { kind: 'waitlist', key: 'a@b.example', before: { email: 'a@b.example', createdAt: 'now' } },
  ]
  const texts = await textsOf({ changes })
  expect(
    texts.slice(texts.indexOf('Changed: projects a'), texts.indexOf('Headers of the request') - 1),
  ).toEqual([
    'Changed: projects a',
    '- name: "A"',
    '+ name: "B"',
    '- description: null',
    '+ description: "New"',
    '',
    'Removed: waitlist a@b.example',
    '- email: "a@b.example"',
    '- createdAt: "now"',
  ])
  expect(await textsOf({ changes: undefined })).toContain('No longer stored.')
})

test('a body that is not JSON is shown as it is, and one that is not whole says so', async () => {
  const texts = await textsOf({
    request: { url: '', headers: {}, body: { length: 70_000, text: undefined } },
    response: { headers: {}, body: { length: 9, text: 'a\tb\x1b' } },
  })
  expect(texts).toContain('It has a length of 70000, and is not stored.')
  expect(texts).toContain('a  b\\x1b')
  expect(texts).toContain('These are 4 of 9 characters.')
  const whole = await textsOf({ request: { url: '', headers: {}, body: { length: 3, text: '€' } } })
  expect(whole.join()).not.toContain('characters')
})

test('nothing of another request is shown', async () => {
  const details = detailsOf({ id: 2, response: { headers: {}, body: { length: 5, text: 'other' } } })
  const mock = await mockSnapshot({ log: [logEntry(1)], details })
  expect(detailRows(mock, 1).map(({ text }) => text)).not.toContain('other')
})
