import { operationalErrors } from '../../contract/errors.js'
import { type Operation, operations } from '../../contract/operations.js'
import { errorFormAt, route } from '../../contract/route.js'
import { ErrorBody, ShortErrorBody, ValidationErrorBody } from '../../contract/schemas.js'
import type { CaseRequest, Mode, ReceivedResponse } from '../cases/case.js'
import { checkDocsPage } from './docs-pages.js'
import type { Target } from './target.js'

/**
 * Checks what every response below /v1/ must satisfy in any case, and of others that a redirect has a target. Returns
 * the violations, one sentence each.
 */
export async function checkInvariants(
  target: Target,
  request: CaseRequest,
  response: ReceivedResponse,
): Promise<string[]> {
  const path = request.path.split('?', 1)[0] ?? ''
  if (!path.startsWith('/v1/')) return redirectFaults(response)
  const { operation } = route(request.method, path)
  const success: Operation['success'] | undefined = operation && operations[operation].success
  if (success && !success.schema && response.status === success.status)
    return response.text === '' ? [] : [`a success without a body has one: ${response.text}`]
  const faults = [...headerFaults(response, target.interfaceOnly)]
  if (request.method === 'HEAD') return [...faults, ...headFaults(response)]
  faults.push(
    ...(response.status < 400
      ? successFaults(response, request.method, path, target.mode)
      : errorFaults(response, request.method, path)),
  )
  if (target.interfaceOnly) return faults
  const { data } = ErrorBody.loose().safeParse(response.json)
  const checkDocs = target.checkDocs ?? ((docsUrl, code) => checkDocsPage(target.fetch, docsUrl, code))
  return response.status < 400 || !data ? faults : [...faults, ...(await checkDocs(data.docsUrl, data.code))]
}

/** Every body is JSON (section 4), and caches must not store a caller's data. */
function* headerFaults({ headers }: ReceivedResponse, interfaceOnly = false): Generator<string> {
  const { 'content-type': type, 'cache-control': cache } = headers
  const expected = interfaceOnly ? /^application\/json\b/ : /^application\/json; charset=utf-8$/
  if (!expected.test(type ?? '')) yield `content-type is ${type}`
  if (!interfaceOnly && cache !== 'no-store') yield `cache-control is ${cache}`
}

const redirectFaults = ({ status, headers }: ReceivedResponse): string[] =>
  status > 300 && status < 304 && !('location' in headers) ? ['the redirect has no location'] : []

function* headFaults({ text }: ReceivedResponse): Generator<string> {
  if (text !== '') yield 'the response to HEAD has a body'
}

/** A success has the status and schema of the operation. */
function* successFaults(
  { status, json, text }: ReceivedResponse,
  method: string,
  path: string,
  mode: Mode,
): Generator<string> {
  if (json === undefined) yield `the body is not JSON: ${text.slice(0, 300)}`
  const { operation } = route(method, path)
  if (!operation) return
  const { success }: Operation = operations[operation]
  if (status !== success.status) yield `success has the status ${status}`
  const { error } = success.schema?.safeParse(json) ?? {}
  if (error) yield `the success body breaks its schema: ${error.message}`
  if (operation === 'getSession') yield* mockFieldFaults(Object(json), mode)
}

/** The mock emits devMode and role together, production emits neither (sections 2.2, 5.4). */
function* mockFieldFaults(bundle: object, mode: Mode): Generator<string> {
  for (const field of ['devMode', 'role']) {
    if (field in bundle !== (mode === 'mock'))
      yield `the bundle has ${field in bundle ? 'a' : 'no'} ${field} in ${mode} mode`
  }
}

/** A failure has the error body of its path and status (section 7), with a code that the operation declares. */
function* errorFaults(
  { status, json, text }: ReceivedResponse,
  method: string,
  path: string,
): Generator<string> {
  if (json === undefined) yield `the body is not JSON: ${text.slice(0, 300)}`
  const schema =
    errorFormAt(path) === 'short' ? ShortErrorBody : status === 422 ? ValidationErrorBody : ErrorBody
  if (!schema.safeParse(json).success) yield `the form of the error is wrong: ${text.slice(0, 300)}`
  const { operation } = route(method, path)
  const { code } = Object(json) as { code?: string }
  const declared: readonly string[] = [
    ...(operation ? operations[operation].errors : []),
    ...Object.keys(operationalErrors),
  ]
  if (operation && code !== undefined && !declared.includes(code)) yield `the code ${code} is not declared`
}
