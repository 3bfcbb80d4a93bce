import { openApiDocument } from '../contract/openapi.js'
import { docsPage } from './docs-page.js'
import { pageHeaders } from './page.js'

/** Something that a server shows to whoever asks. */
export type Document = { headers: Record<string, string>; text: string }

const json = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
}

/** What both servers say about the interface, by path; made when it is asked for. */
export const documents: ReadonlyMap<string, () => Document> = new Map([
  ['/docs', () => ({ headers: pageHeaders(), text: docsPage() })],
  ['/openapi.json', () => ({ headers: json, text: openApiText() })],
])

/** The document as it is served, printed and kept in the repository. */
export const openApiText = (): string => `${JSON.stringify(openApiDocument(), null, 2)}\n`
