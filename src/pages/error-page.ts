import {
  type ErrorCode,
  errorDocsPath,
  errors,
  type InterfaceErrorCode,
  interfaceErrors,
  type OperationalErrorCode,
} from '../contract/errors.js'
import { type Operation, type OperationName, operationNames, operations } from '../contract/operations.js'
import { fail } from '../handlers/handler.js'
import { failureReply, operationalReply, replyBody } from '../handlers/reply.js'
import { curlLine } from './curl-line.js'
import { type ErrorExample, errorExample } from './error-examples.js'
import { escapeHtml, page } from './page.js'

const codes = new Map(
  (Object.keys(errors) as ErrorCode[]).map((code) => [errorDocsPath(code).split('/').at(-1), code]),
)

/** The default address of `dashboard-api dev`. */
const defaultMockUrl = 'http://127.0.0.1:4010'

/**
 * The page that the docsUrl of an error links to (section 2.4), rendered from the error catalogue.
 * @param slug the code in kebab case, e.g. `project-not-found`
 * @param mockUrl the address of the mock in the example
 * @returns HTML, or undefined for an unknown code
 */
export function errorPage(slug: string, mockUrl = defaultMockUrl): string | undefined {
  const code = codes.get(slug)
  if (!code) return undefined
  const { status, message, when, remedy } = errors[code]
  const kind = isInterfaceCode(code) ? 'Error of the interface' : 'Operational error'
  return page(
    `${code} · dashboard-api`,
    `<h1><code>${code}</code></h1>
<p>${kind}, status ${status}: ${escapeHtml(message)}</p>
<h2>Cause</h2><p>${escapeHtml(when)}</p>
<h2>What to do</h2><p>${escapeHtml(remedy)}</p>
${operationList(code)}
${exampleSection(code, errorExample(code), mockUrl)}`,
  )
}

const isInterfaceCode = (code: ErrorCode): code is InterfaceErrorCode => code in interfaceErrors

function operationList(code: ErrorCode): string {
  if (!isInterfaceCode(code)) return ''
  const names = operationNames.filter((name) =>
    (operations[name].errors as readonly ErrorCode[]).includes(code),
  )
  const items = names.map((name) => {
    const { method, path, section, summary } = operations[name]
    return `<li><code>${method} ${escapeHtml(path)}</code> ${escapeHtml(summary)} (section ${section}):
status ${statusesOf(name, code).join(', ')}</li>`
  })
  return `<h2>Operations</h2><ul>${items.join('')}</ul>`
}

/** The statuses of a code in an operation. Validation of a body can fail with several. */
function statusesOf(name: OperationName, code: InterfaceErrorCode): number[] {
  const { body }: Operation = operations[name]
  if (code !== 'VALIDATION_FAILED' || !body) return [errors[code].status]
  return [...new Set(Object.values(body.faults))].sort()
}

function exampleSection(code: ErrorCode, example: ErrorExample, mockUrl: string): string {
  const { method, path, persona, operation, json, forced } = example
  const line = curlLine({
    method,
    url: `${mockUrl}${path}`,
    cookie: persona,
    headers: {
      'content-type': json ? 'application/json' : null,
      prefer: forced ? `code=${code}` : null,
    },
    body: new TextEncoder().encode(json ? JSON.stringify(json) : ''),
  })
  const body = JSON.stringify(exampleBody(code, example, mockUrl), null, 2)
  const command = `npx dashboard-api scenario set ${operation} ${code} --times 1`
  return `<h2>Reproduce it with the mock</h2>
<p>${forced ? 'Forced by a <code>Prefer</code> header' : `As the persona <code>${persona}</code>`}:</p>
<pre>${escapeHtml(line)}</pre>
<p>The response:</p>
<pre>${escapeHtml(body)}</pre>
${operation ? `<p>Or force it for the next request of any persona:</p><pre>${escapeHtml(command)}</pre>` : ''}`
}

/** The body, built by the code that builds it for requests. */
function exampleBody(code: ErrorCode, { operation, path, details }: ErrorExample, mockUrl: string): unknown {
  const docsUrl = (of: ErrorCode) => `${mockUrl}${errorDocsPath(of)}`
  if (!isInterfaceCode(code) || !operation)
    return replyBody(operationalReply(code as OperationalErrorCode), path, docsUrl)
  const entry: Operation = operations[operation]
  return replyBody(failureReply(entry, fail(code, { details })), path, docsUrl)
}
