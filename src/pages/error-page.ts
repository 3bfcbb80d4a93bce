import {
  type ErrorCode,
  errorDocsPath,
  errors,
  type InterfaceErrorCode,
  interfaceErrors,
} from '../contract/errors.js'
import { type OperationName, operationNames, operations } from '../contract/operations.js'
import { defaultMockUrl, mockLine } from './curl-line.js'
import { escapeHtml, navigation, page } from './page.js'
import { shellQuote } from './shell-quote.js'

const codes = new Map(
  (Object.keys(errors) as ErrorCode[]).map((code) => [errorDocsPath(code).split('/').at(-1), code]),
)

/**
 * The page of an error's docsUrl (section 2.4), rendered from the error catalogue.
 * @param slug the code in kebab case, e.g. `project-not-found`
 * @param mockUrl the URL of the mock that serves the page, if one does
 * @param prefix the prefix of the pages and operations
 * @returns HTML, or undefined for an unknown code
 */
export function errorPage(slug: string, mockUrl?: string, prefix = ''): string | undefined {
  const code = codes.get(slug)
  if (!code) return undefined
  const isMock = mockUrl !== undefined
  const { status, message, when, remedy } = errors[code]
  const kind = isInterfaceCode(code) ? 'Error of the interface' : 'Operational error'
  return page(
    `${code} · dashboard-api`,
    `${navigation(isMock, prefix)}
<h1><code>${code}</code></h1>
<p>${kind}, status ${status}: ${escapeHtml(message)}</p>
<h2>Cause</h2><p>${escapeHtml(when)}</p>
<h2>What to do</h2><p>${escapeHtml(remedy)}</p>
${responseSection(code, `${mockUrl ?? ''}${prefix}`)}${operationList(code, prefix)}
${exampleSection(code, isMock, mockUrl)}`,
  )
}

/** The page of a path below /docs/errors/ that names no code. */
export const unknownErrorPage = (isMock: boolean, prefix = ''): string =>
  page(
    'Unknown error code · dashboard-api',
    `${navigation(isMock, prefix)}
<h1>There is no such error code</h1>
<p>This address names no error of the interface. <a href="${prefix}/docs#errors">All error codes</a></p>`,
  )

const isInterfaceCode = (code: ErrorCode): code is InterfaceErrorCode => code in interfaceErrors

const operationsWith = (code: ErrorCode): OperationName[] =>
  operationNames.filter((name) => (operations[name].errors as readonly ErrorCode[]).includes(code))

/** The body of a response with this code, in its full form (section 2.4). */
function responseSection(code: ErrorCode, origin: string): string {
  const { status, message } = errors[code]
  const details = { formErrors: [], fieldErrors: { name: ['Must not be empty'] } }
  const body = {
    error: message,
    code,
    docsUrl: `${origin}${errorDocsPath(code)}`,
    ...(code === 'VALIDATION_FAILED' && { details }),
  }
  return `<h2>Response ${status}</h2><pre tabindex="0">${escapeHtml(JSON.stringify(body, null, 2))}</pre>`
}

function operationList(code: ErrorCode, prefix: string): string {
  if (!isInterfaceCode(code)) return ''
  const items = operationsWith(code).map((name) => {
    const { method, path, section, summary } = operations[name]
    return `<li><code>${method} ${escapeHtml(prefix + path)}</code> ${escapeHtml(summary)} (section ${section})</li>`
  })
  return `<h2>Operations</h2><ul>${items.join('')}</ul>`
}

/** Commands that make the mock reply with an error. */
function exampleSection(code: ErrorCode, isMock: boolean, mockUrl = defaultMockUrl): string {
  const unknown = {
    NOT_FOUND: ['GET', '/v1/nothing'],
    METHOD_NOT_ALLOWED: ['DELETE', '/v1/projects'],
  } as const
  const [method, path] = code in unknown ? unknown[code as keyof typeof unknown] : []
  if (method)
    return `${exampleTitle}<pre tabindex="0">${escapeHtml(mockLine(method, path, { mockUrl }))}</pre>`
  const [name = 'createProject'] = operationsWith(code)
  const operation = operations[name]
  const line = mockLine(operation.method, operation.path.replace(/\{\w+\}/g, 'any'), { code, mockUrl })
  const url = mockUrl === defaultMockUrl ? '' : ` --url ${shellQuote(mockUrl)}`
  const command = `npx dashboard-api mock scenario set ${name} ${code} --times 1${url}`
  const words = encodeURIComponent(`${code} ${name} once`)
  const button = `<p><a class="button" href="/#do/${words}">Force it for the next request</a>
<small>It opens the workbench with this command in its box: Enter forces it.</small></p>`
  return `${exampleTitle}${isMock ? button : ''}
<p>Forced by a <code>Prefer</code> header:</p><pre tabindex="0">${escapeHtml(line)}</pre>
<p>Or for the next request of any persona:</p><pre tabindex="0">${escapeHtml(command)}</pre>`
}

const exampleTitle = '<h2>Reproduce it with the mock</h2>'
