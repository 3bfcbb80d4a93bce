import { openApiDocument } from '../contract/openapi.js'
import { docsPage } from './docs-page.js'
import { pageHeaders } from './page.js'

/**
 * A public document. Its text is rendered at the first request.
 * @param mockUrl the URL of the mock that serves it, for its commands
 */
export type Document = { headers: Record<string, string>; text(mockUrl?: string): string }

/** The text that is served, printed, and checked in. */
export const openApiText = (): string => `${JSON.stringify(openApiDocument(), null, 2)}\n`

const jsonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}

const usualDocs = once(() => docsPage())
const docsAt = (mockUrl?: string): string => (mockUrl === undefined ? usualDocs() : docsPage(mockUrl))

/** The documents about the interface, by path. */
export const documents: ReadonlyMap<string, Document> = new Map([
  ['/docs', { headers: pageHeaders(), text: docsAt }],
  ['/openapi.json', { headers: jsonHeaders, text: once(openApiText) }],
])
