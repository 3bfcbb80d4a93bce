import { openApiDocument } from '../contract/openapi.js'
import { docsPage } from './docs-page.js'
import { pageHeaders } from './page.js'

/** A public document. */
export type Document = { headers: Record<string, string>; text: string }

const jsonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
}

/** The documents about the interface that both servers serve, by path. Rendered on request. */
export const documents: ReadonlyMap<string, () => Document> = new Map([
  ['/docs', () => ({ headers: pageHeaders(), text: docsPage() })],
  ['/openapi.json', () => ({ headers: jsonHeaders, text: openApiText() })],
])

/** The text that is served, printed, and checked in. */
export const openApiText = (): string => `${JSON.stringify(openApiDocument(), null, 2)}\n`
