import { operationalErrors } from '../../contract/errors.js'
import { type Operation, operations } from '../../contract/operations.js'
import { route } from '../../contract/route.js'
import { ErrorBody } from '../../contract/schemas.js'
import type { Answer, Request } from '../cases/case.js'
import type { Target } from './target.js'

/** What every answer below /v1/ keeps, whichever case it belongs to. Gives what is broken, one sentence each. */
export async function checkInvariants(target: Target, request: Request, answer: Answer): Promise<string[]> {
  const path = request.path.split('?', 1)[0] ?? ''
  if (!path.startsWith('/v1/')) return []
  const { operation } = route(request.method, path)
  return [
    ...headerFaults(answer, target.interfaceOnly),
    ...(request.method === 'HEAD'
      ? headFaults(answer)
      : bodyFaults(answer, operation && operations[operation])),
    ...(target.interfaceOnly ? [] : await docsFaults(target, answer)),
  ]
}

/** All bodies are JSON (section 4), and no cache may keep what belongs to a caller. */
function* headerFaults({ headers }: Answer, interfaceOnly = false): Generator<string> {
  const { 'content-type': type, 'cache-control': cache } = headers
  const wanted = interfaceOnly ? /^application\/json\b/ : /^application\/json; charset=utf-8$/
  if (!wanted.test(type ?? '')) yield `content-type is ${type}`
  if (!interfaceOnly && cache !== 'no-store') yield `cache-control is ${cache}`
}

function* headFaults({ text }: Answer): Generator<string> {
  if (text !== '') yield 'an answer to HEAD has a body'
}

/** A success has the operation's status and schema; a failure a code that the operation declares. */
function* bodyFaults({ status, json, text }: Answer, operation: Operation | undefined): Generator<string> {
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
async function docsFaults(target: Target, { status, json }: Answer): Promise<string[]> {
  const { data } = ErrorBody.loose().safeParse(json)
  if (status < 400 || !data) return []
  const page = await target.fetch(data.docsUrl)
  const text = await page.text()
  const opens = page.status === 200 && page.headers.get('content-type')?.startsWith('text/html')
  if (!opens) return [`docsUrl ${data.docsUrl} does not open: ${page.status}`]
  return text.includes(data.code) ? [] : [`docsUrl ${data.docsUrl} does not speak of ${data.code}`]
}
