import { describe, expect, it } from 'vitest'
import { createDocuments, isUnchanged } from '../../src/pages/documents.js'

const documents = createDocuments()

describe.each([...documents])('the document %s', (_path, document) => {
  it('is rendered once', () => {
    expect(document()).toBe(document())
  })

  it('has an entity tag that a client can ask by', () => {
    const { etag = '' } = document().headers
    expect(etag).toMatch(/^"[0-9a-f]+-[0-9a-f]+"$/)
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
      expect(isUnchanged(document(), tags)).toBe(true)
    for (const tags of ['"other"', '', undefined, null]) expect(isUnchanged(document(), tags)).toBe(false)
  })
})

it('different documents have different tags', () => {
  const tags = [...documents.values()].map((document) => document().headers.etag)
  expect(new Set(tags).size).toBe(documents.size)
})

it('only the script of the mock knows where the personas are: the pages of both are the same', () => {
  const ofMock = createDocuments('/__dev/sessions')
  for (const [path, document] of documents) {
    const [text, other] = [document().text, ofMock.get(path)?.().text ?? '']
    expect(text).not.toContain('__dev')
    expect(other.replace('})("/__dev/sessions")', '})()'), path).toBe(text)
    expect(other !== text).toBe(path === '/docs/try-it.js')
  }
})

it('the script is one that a browser takes, and uses nothing outside itself', () => {
  const script = documents.get('/docs/try-it.js')?.()
  expect(script?.headers['content-type']).toBe('text/javascript; charset=utf-8')
  // It compiles, and fails at nothing but the missing page.
  expect(() => new Function(script?.text ?? '!')()).toThrow('document is not defined')
})
