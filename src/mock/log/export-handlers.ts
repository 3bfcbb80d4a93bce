import type { ErrorCode } from '../../contract/errors.js'
import { type OperationName, operations } from '../../contract/operations.js'
import { type CustomResponse, customReply, statusReply } from '../engine/custom-response.js'
import type { MockParts } from '../engine/mock-parts.js'
import type { MockReply } from '../engine/mock-reply.js'
import { forcedReply } from '../engine/outcomes.js'
import type { Scenario } from '../engine/scenarios.js'
import { isOperation, patternOf, splitTarget, type Target } from '../engine/target-name.js'
import { literal } from './fetch-call.js'
import { type Json, js } from './js-literal.js'

/** Code of a generated file, and what it uses of MSW. */
type Code = { text: string; uses: ('delay' | 'graphql' | 'http' | 'HttpResponse')[] }

const methods = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|ALL)$/

type Parts = Pick<MockParts, 'scenarios' | 'targets' | 'writeReply' | 'baseUrl'>

/**
 * Forced outcomes and custom responses as a file of MSW handlers, valid as TypeScript and JavaScript. Comments name what a file
 * cannot express.
 */
export async function exportHandlers(parts: Parts): Promise<string> {
  const handlers = await Promise.all(parts.scenarios.list().map((scenario) => handlerOf(scenario, parts)))
  const text = handlers.map((each) => each.text).join('\n')
  const used = [...new Set(handlers.flatMap(({ uses }) => uses))].sort((a, b) =>
    a.toLowerCase() < b.toLowerCase() ? -1 : 1,
  )
  const imports = used.length > 0 ? `import { ${used.join(', ')} } from 'msw'\n\n` : ''
  const note = used.includes('graphql') ? "// With MSW 3, `graphql` is in 'msw/graphql'.\n" : ''
  return `${note}${imports}export const handlers = [\n${text}${text && '\n'}]\n`
}

async function handlerOf(scenario: Scenario, parts: Parts): Promise<Code> {
  const { target, outcome, response, session, times } = scenario
  const leftOut = (reason: string): Code => ({ text: `  // Left out: ${target}${reason}`, uses: [] })
  if (response === undefined && outcome === undefined)
    return leftOut(', which changes the data of operations')
  if (session !== undefined) return leftOut(`, as it is for ${session} alone`)
  const matched = matcher(parts.targets.find(target) ?? splitTarget(target))
  if (!matched) return leftOut(', whose matcher cannot be written')
  const options = times === 1 ? ', { once: true }' : ''
  const note = times !== undefined && times > 1 ? `  // Here ${times} times only:\n` : ''
  const answer = await resolver(scenario, parts)
  const text = `${note}  ${matched.text}, ${answer.text}${options}),`
  return { text, uses: [...matched.uses, ...answer.uses] }
}

/** The start of the call that makes a handler; undefined if its matcher cannot be written. */
function matcher({ method, path, kind, matcher: by }: Target): Code | undefined {
  if (by === 'predicate') return undefined
  if (/^(query|mutation|operation)$/.test(method)) {
    const [name = '', endpoint] = path.split(' ')
    const graphql = endpoint === undefined ? 'graphql' : `graphql.link(${literal(endpoint)})`
    const shown = by === 'regexp' ? name : literal(name)
    const text = method === 'operation' ? `${graphql}.operation(` : `${graphql}.${method}(${shown}`
    return { text, uses: ['graphql'] }
  }
  if (!methods.test(method)) return undefined
  // Relative paths need a page; in Node a wildcard matches any origin.
  const given = kind === 'unanswered' ? patternOf(path) : path
  const shown = by === 'regexp' ? path : literal(given.startsWith('/') ? `*${given}` : given)
  return { text: `http.${method.toLowerCase()}(${shown}`, uses: ['http'] }
}

async function resolver({ target, outcome, response }: Scenario, parts: Parts): Promise<Code> {
  if (outcome === 'hang') return { text: "async () => { await delay('infinite') }", uses: ['delay'] }
  const uses: Code['uses'] = ['HttpResponse']
  if (outcome === 'drop') return { text: '() => HttpResponse.error()', uses }
  if (response) return { text: `() => ${responseOf(customReply(response), response)}`, uses }
  const reply = isOperation(target)
    ? await operationReply(target, outcome as ErrorCode, parts)
    : statusReply(Number(outcome))
  return { text: `() => ${responseOf(reply)}`, uses }
}

const operationReply = async (name: OperationName, code: ErrorCode, { writeReply, baseUrl }: Parts) =>
  writeReply(await forcedReply(name, code), { url: baseUrl + operations[name].path, headers: {} })

/** The code of a response. @param custom the fields of a custom response */
function responseOf({ status, headers, body }: MockReply, custom: CustomResponse = {}): string {
  const isJson = body !== null && custom.text === undefined
  const typed = isJson || body === null ? [] : ['content-type']
  const names = new Set([...typed, 'retry-after', ...Object.keys(custom.headers ?? {})])
  const sent = [...names].flatMap((name) =>
    headers[name] === undefined ? [] : [[name, headers[name]] as const],
  )
  const init = js({ status, ...(sent.length > 0 && { headers: Object.fromEntries(sent) }) })
  if (!isJson) return `new HttpResponse(${body === null ? 'null' : literal(body)}, ${init})`
  const options = status === 200 && sent.length === 0 ? '' : `, ${init}`
  return `HttpResponse.json(${js(JSON.parse(body) as Json).replaceAll('\n', '\n  ')}${options})`
}
