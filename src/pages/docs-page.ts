import { type ErrorCode, errorDocsPath, errors, interfaceErrors } from '../contract/errors.js'
import {
  type DescribedOperation,
  type OpenApiDocument,
  openApiDocument,
  type Parameter,
} from '../contract/openapi.js'
import type { Content, DescribedResponse } from '../contract/openapi-schemas.js'
import { defaultMockUrl, mockLine } from './curl-line.js'
import { schemaTable, table, typeOf } from './docs-schema.js'
import { escapeHtml, navigation, page } from './page.js'

const style = `
body { max-width: 58rem; } h2 { font-size: 1.25rem; margin-top: 3rem; } h3, h4 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
table { border-collapse: collapse; width: 100%; } .wide { overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); }
.quiet { color: var(--quiet); } .contents { position: sticky; top: 0; margin: 0; padding: .6rem 0; background: light-dark(#fff, #0f1012); }
section, h2, h3 { scroll-margin-top: 5rem; } pre { margin: .4rem 0; line-height: 1.45; } pre code { padding: 0; background: none; }
details { border: 1px solid var(--line); border-radius: .6rem; padding: .5rem .9rem; margin: .5rem 0; }
summary { cursor: pointer; } summary b { display: inline-block; min-width: 4.5rem; font-family: ui-monospace, monospace; }
.method { color: var(--accent); font-weight: 600; } h2 code, h3 code { font-size: .9em; overflow-wrap: anywhere; }`

/**
 * The documentation page, rendered from the OpenAPI document: operations, schemas, examples and errors, and for each
 * operation a command that sends it to the mock.
 * @param mockUrl the URL of the mock in the commands. Default: a mock on its usual port
 * @param prefix the prefix of the pages and operations. The mock has none.
 */
export function docsPage(mockUrl?: string, prefix = ''): string {
  const document = openApiDocument()
  const { title, version, description } = document.info
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const links = operations.map(({ method, path, operation: { operationId, summary } }) => [
    endpoint(method, prefix + path),
    `<a href="#${operationId}">${escapeHtml(summary)}</a>`,
  ])
  return page(
    `${title} ${version}`,
    `${navigation(mockUrl !== undefined, prefix)}
<nav class="contents" aria-label="On this page">${operations
      .map(({ operation: { operationId } }) => `<a href="#${operationId}">${operationId}</a>`)
      .join('')}<a href="#schemas">Schemas</a><a href="#errors">Errors</a></nav>
<h1>${escapeHtml(title)} <small class="quiet">${version}</small></h1>
${paragraphs(description)}
<p>Machine-readable: <a href="${prefix}/openapi.json">openapi.json</a> (OpenAPI ${document.openapi}).</p>
<h2 id="operations">Operations</h2>
${table(['Request', 'Operation'], links)}
${operations.map((operation) => section(operation, document, mockUrl, prefix)).join('\n')}
<h2 id="schemas">Schemas</h2>
${Object.entries(document.components.schemas)
  .map(([name, schema]) => `<section><h3 id="${name}">${name}</h3>${schemaTable(schema)}</section>`)
  .join('\n')}
<h2 id="errors">Errors</h2>
<p>The <code>code</code> of an error body is one of these. Its <code>docsUrl</code> links to the page of the code.</p>
${table(['Code', 'Status', 'When'], errorRows(prefix))}`,
    style,
  )
}

type Listed = { method: string; path: string; operation: DescribedOperation }

/** Renders paragraphs, and code in backquotes. */
const paragraphs = (text: string): string =>
  text
    .split('\n\n')
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</p>`)
    .join('')

const endpoint = (method: string, path: string): string =>
  `<code><span class="method">${method}</span> ${escapeHtml(path)}</code>`

function section(
  { method, path, operation }: Listed,
  { components }: OpenApiDocument,
  mockUrl?: string,
  prefix = '',
): string {
  const { operationId, summary, description, security, parameters = [], requestBody, responses } = operation
  const access = security.length > 0 ? 'Requires the session cookie.' : 'Requires no session.'
  return `<section>
<h2 id="${operationId}">${escapeHtml(summary)}</h2>
<p>${endpoint(method, prefix + path)}</p>
<p>${escapeHtml(description)}</p>
<p class="quiet">Section ${operation['x-section']} of the interface. ${access}</p>
${parameters.map(parameterLine).join('')}
${requestBody ? `<h3>Request body</h3>${contentOf(requestBody.content)}` : ''}
<h3>With the mock</h3>
<pre tabindex="0"><code>${escapeHtml(exampleLine({ method, path, operation }, mockUrl))}</code></pre>
<h3>Responses</h3>
${Object.entries(responses)
  .map(([status, response]) => {
    const shared = '$ref' in response ? components.responses[response.$ref.split('/').at(-1) ?? ''] : response
    const { description, content } = shared as DescribedResponse
    return `<details><summary><b>${status}</b> ${escapeHtml(description)}</summary>${content ? contentOf(content) : '<p>No body.</p>'}</details>`
  })
  .join('\n')}
</section>`
}

const parameterLine = ({ name, in: place, required, description }: Parameter): string =>
  `<p><code>${place === 'path' ? `{${name}}` : `?${name}=`}</code> ${required ? '' : 'Optional. '}${escapeHtml(description)}</p>`

/** A command that sends an operation to the mock, with the examples of the contract. */
function exampleLine({ method, path, operation }: Listed, mockUrl = defaultMockUrl): string {
  const { parameters = [], requestBody, security } = operation
  let target = path
  const query = new URLSearchParams()
  for (const { name, in: place, example = '' } of parameters) {
    if (place === 'path') target = target.replace(`{${name}}`, encodeURIComponent(String(example)))
    else if (example !== '') query.set(name, String(example))
  }
  const [body] = Object.values(requestBody?.content['application/json'].examples ?? {})
  return mockLine(method, query.size > 0 ? `${target}?${query}` : target, {
    json: body?.value,
    mockUrl,
    persona: security.length > 0 ? 'acme-owner' : undefined,
  })
}

const contentOf = (content: Content): string => {
  const { schema, examples } = content['application/json']
  const blocks = Object.values(examples).map(
    ({ summary, value }) =>
      `${summary ? `<p class="quiet">${escapeHtml(summary)}</p>` : ''}<pre tabindex="0"><code>${escapeHtml(JSON.stringify(value, null, 2))}</code></pre>`,
  )
  return `<p>${typeOf(schema)}</p>${blocks.join('')}`
}

const errorRows = (prefix: string): string[][] =>
  (Object.keys(errors) as ErrorCode[]).map((code) => {
    const { status, when } = errors[code]
    const note = code in interfaceErrors ? '' : ' <span class="quiet">Not part of the interface.</span>'
    return [
      `<a href="${prefix}${errorDocsPath(code)}"><code>${code}</code></a>`,
      String(status),
      escapeHtml(when) + note,
    ]
  })
