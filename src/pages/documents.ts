import { openApiDocument } from '../contract/openapi.js'
import { docsPage } from './docs-page.js'
import { pageHeaders } from './page.js'

/** Where a document is served: by a mock with this URL, for its commands, or below a prefix. */
export type Place = { mockUrl?: string; prefix?: string }

/** A public document. Its text for a place is rendered at the first request. */
export type Document = { headers: Record<string, string>; text(place?: Place): string }

/** The text that is served, printed, and checked in. */
export const openApiText = (prefix = ''): string => `${JSON.stringify(openApiDocument(prefix), null, 2)}\n`

const jsonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** Renders a text once for each prefix. An application has few. */
function oncePerPrefix(render: (prefix: string) => string): (prefix?: string) => string {
  const rendered = new Map<string, string>()
  return (prefix = '') => {
    const text = rendered.get(prefix) ?? render(prefix)
    rendered.set(prefix, text)
    return text
  }
}

const usualDocs = oncePerPrefix((prefix) => docsPage(undefined, prefix))
const openApi = oncePerPrefix(openApiText)

/** The documents about the interface, by path. */
export const documents: ReadonlyMap<string, Document> = new Map<string, Document>([
  [
    '/docs',
    {
      headers: pageHeaders(),
      text: ({ mockUrl, prefix } = {}) => (mockUrl === undefined ? usualDocs(prefix) : docsPage(mockUrl)),
    },
  ],
  ['/openapi.json', { headers: jsonHeaders, text: ({ prefix } = {}) => openApi(prefix) }],
])
