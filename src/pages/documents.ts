import { fnv1a } from '../contract/fnv1a.js'
import { openApiDocument } from '../contract/openapi.js'
import { docsPage } from './docs-page.js'
import { pageHeaders } from './page.js'

/** A public document. Its headers have an entity tag, with which a client can ask whether it has changed. */
export type Document = { headers: Record<string, string>; text: string }

/** The documents about the interface that a server has, by path. Each is rendered once, on the first request. */
export const documents: ReadonlyMap<string, () => Document> = new Map([
  ['/docs', once(() => tagged(pageHeaders(), docsPage()))],
  ['/openapi.json', once(() => tagged(jsonHeaders, openApiText()))],
])

const jsonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
}

/** Whether an If-None-Match header names the entity tag of a document, so that 304 answers the request. */
export const isUnchanged = ({ headers }: Document, ifNoneMatch: string | null | undefined): boolean =>
  (ifNoneMatch ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === headers.etag)

/** The text that is served, printed, and checked in. */
export const openApiText = (): string => `${JSON.stringify(openApiDocument(), null, 2)}\n`

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}

const tagged = (headers: Record<string, string>, text: string): Document => ({
  headers: {
    ...headers,
    'cache-control': 'no-cache',
    etag: `"${text.length.toString(16)}-${fnv1a(text).toString(16)}"`,
  },
  text,
})
