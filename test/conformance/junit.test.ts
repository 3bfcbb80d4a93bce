import { DOMParser } from '@xmldom/xmldom'
import { expect, test } from 'vitest'
import { junit } from '../../src/conformance/junit.js'
import type { CaseResult, Report } from '../../src/conformance/verify.js'

const result = (changes: Partial<CaseResult>): CaseResult => ({
  title: 'A case',
  requirement: '4.1',
  source: 'interface',
  outcome: 'passed',
  exchanges: [],
  ms: 1500,
  ...changes,
})

/** The report, parsed as XML. */
const parsed = (results: CaseResult[]) => {
  const xml = junit({ url: 'http://a.example/?a="b"&c', results } as Report)
  return new DOMParser().parseFromString(xml, 'text/xml')
}

test.each(['a "quoted" word', "it's", '<b> & </b>', ']]>', 'ü 🚀'])(
  'a JUnit report preserves the text %j in every place',
  (text) => {
    const document = parsed([
      result({ title: text, requirement: text }),
      result({ outcome: 'failed', failure: text }),
      result({ outcome: 'skipped', reason: text }),
    ])
    const attribute = (selector: string, name: string) =>
      document.getElementsByTagName(selector)[0]?.getAttribute(name)
    expect(attribute('testcase', 'name')).toBe(text)
    expect(attribute('testcase', 'classname')).toBe(text)
    expect(attribute('failure', 'message')).toBe(text)
    expect(attribute('skipped', 'message')).toBe(text)
  },
)

test('a JUnit report has counts and the name of the service, and replaces characters that XML forbids', () => {
  const document = parsed([result({}), result({ title: 'a\u0000b\ud800', outcome: 'failed' })])
  const suite = document.getElementsByTagName('testsuite')[0]
  expect(Object.fromEntries([...(suite?.attributes ?? [])].map(({ name, value }) => [name, value]))).toEqual({
    name: 'dashboard-api verify http://a.example/?a="b"&c',
    tests: '2',
    failures: '1',
    skipped: '0',
    errors: '0',
    time: '3',
  })
  const titles = [...document.getElementsByTagName('testcase')].map((each) => each.getAttribute('name'))
  expect(titles).toEqual(['A case', 'a\ufffdb\ufffd'])
})
