import { operationalErrors } from '../../contract/errors.js'
import { type Operation, operations } from '../../contract/operations.js'
import { route } from '../../contract/route.js'
import { ErrorBody } from '../../contract/schemas.js'
import type { CaseRequest, ReceivedResponse } from '../cases/case.js'
import type { Target } from './target.js'

/** Checks what every response below /v1/ must satisfy in any case. Returns the violations, one sentence each. */
export async function checkInvariants(
  target: Target,
  request: CaseRequest,
  response: ReceivedResponse,
): Promise<string[]> {
  const path = request.path.split('?', 1)[0] ?? ''
  if (!path.startsWith('/v1/')) return []
  const { operation } = route(request.method, path)
  return [
    ...headerFaults(response, target.interfaceOnly),
    ...(request.method === 'HEAD'
      ? headFaults(response)
      : bodyFaults(response, operation && operations[operation])),
    ...(target.interfaceOnly ? [] : await docsFaults(target, response)),
  ]
}

/** Every body is JSON (section 4), and caches must not store a caller's data. */
function* headerFaults({ headers }: ReceivedResponse, interfaceOnly = false): Generator<string> {
  const { 'content-type': type, 'cache-control': cache } = headers
  const expected = interfaceOnly ? /^application\/json\b/ : /^application\/json; charset=utf-8$/
  if (!expected.test(type ?? '')) yield `content-type is ${type}`
  if (!interfaceOnly && cache !== 'no-store') yield `cache-control is ${cache}`
}

function* headFaults({ text }: ReceivedResponse): Generator<string> {
  if (text !== '') yield 'the response to HEAD has a body'
}

/** A success has the status and schema of the operation; a failure has a code that the operation declares. */
function* bodyFaults(
  { status, json, text }: ReceivedResponse,
  operation: Operation | undefined,
): Generator<string> {
  if (json === undefined) yield `the body is not JSON: ${text.slice(0, 300)}`
  if (!operation) return
  if (status < 400) {
    if (status !== operation.success.status) yield `success has the status ${status}`
    const { error } = operation.success.schema.safeParse(json)
    if (error) yield `the success body breaks its schema: ${error.message}`
  } else {
    const isShort = Object.keys(Object(json)).join() === 'error'
    if (isShort !== (operation.errorForm === 'short')) yield `the error form is wrong: ${text.slice(0, 300)}`
    const { code } = Object(json) as { code?: string }
    const declared: readonly string[] = [...operation.errors, ...Object.keys(operationalErrors)]
    if (code !== undefined && !declared.includes(code)) yield `the code ${code} is not declared`
  }
}

/** `docsUrl` opens a page about the code. */
async function docsFaults(target: Target, { status, json }: ReceivedResponse): Promise<string[]> {
  const { data } = ErrorBody.loose().safeParse(json)
  if (status < 400 || !data) return []
  const page = await target.fetch(data.docsUrl)
  const text = await page.text()
  const isPage = page.status === 200 && page.headers.get('content-type')?.startsWith('text/html')
  if (!isPage) return [`docsUrl ${data.docsUrl} does not open: ${page.status}`]
  return text.includes(data.code) ? [] : [`docsUrl ${data.docsUrl} does not mention ${data.code}`]
}
