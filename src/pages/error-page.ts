import { type ErrorCode, errorDocsPath, errors, interfaceErrors } from '../contract/errors.js'
import { operationNames, operations } from '../contract/operations.js'
import { escapeHtml, page } from './page.js'

const codes = new Map(
  (Object.keys(errors) as ErrorCode[]).map((code) => [errorDocsPath(code).split('/').at(-1), code]),
)

/**
 * The page that the docsUrl of an error opens (section 2.4), made from the catalogue.
 * @param slug the code in kebab case, e.g. `project-not-found`
 * @returns HTML, or undefined where there is no such code
 */
export function errorPage(slug: string): string | undefined {
  const code = codes.get(slug)
  if (!code) return undefined
  const { status, message, when, remedy } = errors[code]
  const kind = code in interfaceErrors ? 'A code of the interface' : 'A code of running this service'
  return page(
    `${code} · dashboard-api`,
    `<h1><code>${code}</code></h1>
<p>${kind}, answered with status ${status}.</p>
<h2>What it says</h2><p>${escapeHtml(message)}</p>
<h2>When it is answered</h2><p>${escapeHtml(when)}</p>
<h2>What to do</h2><p>${escapeHtml(remedy)}</p>
${answeredBy(code)}`,
  )
}

function answeredBy(code: ErrorCode): string {
  const names = operationNames.filter((name) =>
    (operations[name].errors as readonly ErrorCode[]).includes(code),
  )
  if (names.length === 0) return ''
  const items = names.map((name) => {
    const { method, path, section, summary } = operations[name]
    return `<li><code>${method} ${escapeHtml(path)}</code> ${escapeHtml(summary)} (section ${section})</li>`
  })
  return `<h2>Which operations answer it</h2><ul>${items.join('')}</ul>`
}
