import { describe, expect, it } from 'vitest'
import { documents, isUnchanged } from '../../src/pages/documents.js'

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
