import { type CustomResponse, statusReply } from './custom-response.js'
import { literal } from './fetch-call.js'
import { type Json, js } from './js-literal.js'
import type { Scenario } from './scenarios.js'
import { isOperation, patternOf, splitTarget, type TargetPlace } from './target-name.js'
import type { Targets } from './targets.js'

const methods = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|ALL)$/

/**
 * What was forced as a file of MSW handlers, in TypeScript and JavaScript alike: custom responses, and outcomes where there
 * is no contract. A comment names what a file cannot express.
 */
export function exportHandlers(scenarios: readonly Scenario[], targets: Targets): string {
  const handlers = scenarios.flatMap((scenario) => {
    const { target, outcome, response, session } = scenario
    if (response === undefined && (outcome === undefined || isOperation(target))) return []
    const place = targets.find(target) ?? splitTarget(target)
    const matched = session === undefined ? matcher(place) : undefined
    const options = scenario.times === 1 ? ', { once: true }' : ''
    return [
      matched
        ? `  ${matched}, ${resolver(response ?? outcome)}${options}),`
        : `  // Left out: ${target}${session === undefined ? '' : `, as it is for ${session} alone`}`,
    ]
  })
  const text = handlers.join('\n')
  const used = ['delay', 'graphql', 'http', 'HttpResponse'].filter((name) =>
    new RegExp(`\\b${name}[.(]`).test(text),
  )
  const imports = used.length > 0 ? `import { ${used.join(', ')} } from 'msw'\n\n` : ''
  return `${imports}export const handlers = [\n${text}${text && '\n'}]\n`
}

/** The beginning of the call that makes a handler; undefined if no text can express what it matches. */
function matcher({ method, path, kind, matcher: by }: TargetPlace): string | undefined {
  if (by === 'predicate') return undefined
  if (/^(query|mutation|operation)$/.test(method)) {
    const [name = '', endpoint] = path.split(' ')
    const graphql = endpoint === undefined ? 'graphql' : `graphql.link(${literal(endpoint)})`
    const shown = by === 'regexp' ? name : literal(name)
    return method === 'operation' ? `${graphql}.operation(` : `${graphql}.${method}(${shown}`
  }
  if (!methods.test(method)) return undefined
  // Relative paths need a page: in Node a wildcard stands for the origin.
  const given = kind === 'unanswered' ? patternOf(path) : path
  const shown = by === 'regexp' ? path : literal(given.startsWith('/') ? `*${given}` : given)
  return `http.${method.toLowerCase()}(${shown}`
}

function resolver(given: CustomResponse | Scenario['outcome']): string {
  if (given === 'drop') return '() => HttpResponse.error()'
  if (given === 'hang') return "async () => { await delay('infinite') }"
  if (typeof given === 'number') {
    const { status, body } = statusReply(given)
    return resolver({ status, ...(body !== null && { body: JSON.parse(body) }) })
  }
  const { status = 200, body, text, contentType = 'text/plain' } = given as CustomResponse
  if (body !== undefined) {
    const options = status === 200 ? '' : `, { status: ${status} }`
    return `() => HttpResponse.json(${js(body as Json).replaceAll('\n', '\n  ')}${options})`
  }
  const headers = text === undefined ? '' : `, headers: { 'content-type': ${literal(contentType)} }`
  return `() => new HttpResponse(${text === undefined ? 'null' : literal(text)}, { status: ${status}${headers} })`
}
