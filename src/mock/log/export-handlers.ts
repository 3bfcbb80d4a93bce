import { type CustomResponse, customReply, statusReply } from '../engine/custom-response.js'
import type { Scenario } from '../engine/scenarios.js'
import { isOperation, patternOf, splitTarget, type Target } from '../engine/target-name.js'
import type { Targets } from '../engine/targets.js'
import { literal } from './fetch-call.js'
import { type Json, js } from './js-literal.js'

/** Code of a generated file, and what it uses of MSW. */
type Code = { text: string; uses: ('delay' | 'graphql' | 'http' | 'HttpResponse')[] }

const methods = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|ALL)$/

/**
 * Forced outcomes as a file of MSW handlers, valid as TypeScript and JavaScript: custom responses, and outcomes of targets
 * without a contract. Comments name outcomes that a file cannot express.
 */
export function exportHandlers(scenarios: readonly Scenario[], targets: Targets): string {
  const handlers = scenarios.flatMap((scenario): Code[] => {
    const { target, outcome, response, session } = scenario
    if (response === undefined && (outcome === undefined || isOperation(target))) return []
    const place = targets.find(target) ?? splitTarget(target)
    const matched = session === undefined ? matcher(place) : undefined
    const { times } = scenario
    const options = times === 1 ? ', { once: true }' : ''
    const note = times !== undefined && times > 1 ? `  // Here ${times} times only:\n` : ''
    if (!matched) {
      const reason = session === undefined ? '' : `, as it is for ${session} alone`
      return [{ text: `  // Left out: ${target}${reason}`, uses: [] }]
    }
    const answer = resolver(response ?? outcome)
    const text = `${note}  ${matched.text}, ${answer.text}${options}),`
    return [{ text, uses: [...matched.uses, ...answer.uses] }]
  })
  const text = handlers.map((each) => each.text).join('\n')
  const used = [...new Set(handlers.flatMap(({ uses }) => uses))].sort((a, b) =>
    a.toLowerCase() < b.toLowerCase() ? -1 : 1,
  )
  const imports = used.length > 0 ? `import { ${used.join(', ')} } from 'msw'\n\n` : ''
  const note = used.includes('graphql') ? "// With MSW 3, `graphql` is in 'msw/graphql'.\n" : ''
  return `${note}${imports}export const handlers = [\n${text}${text && '\n'}]\n`
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

function resolver(given: CustomResponse | Scenario['outcome']): Code {
  if (given === 'hang') return { text: "async () => { await delay('infinite') }", uses: ['delay'] }
  return { text: `() => ${responseOf(given)}`, uses: ['HttpResponse'] }
}

function responseOf(given: CustomResponse | Scenario['outcome']): string {
  if (given === 'drop') return 'HttpResponse.error()'
  const isStatus = typeof given === 'number'
  const { status, headers, body } = isStatus ? statusReply(given) : customReply(given as CustomResponse)
  const isJson = body !== null && (isStatus || (given as CustomResponse).text === undefined)
  const own = isStatus ? {} : (given as CustomResponse).headers
  const typed = isJson || body === null ? [] : ['content-type']
  const names = new Set([...typed, 'retry-after', ...Object.keys(own ?? {})])
  const sent = [...names].flatMap((name) =>
    headers[name] === undefined ? [] : [[name, headers[name]] as const],
  )
  const init = js({ status, ...(sent.length > 0 && { headers: Object.fromEntries(sent) }) })
  if (!isJson) return `new HttpResponse(${body === null ? 'null' : literal(body)}, ${init})`
  const options = status === 200 && sent.length === 0 ? '' : `, ${init}`
  return `HttpResponse.json(${js(JSON.parse(body) as Json).replaceAll('\n', '\n  ')}${options})`
}
