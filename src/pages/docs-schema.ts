import type { JsonSchema } from '../contract/openapi-schemas.js'
import { escapeHtml } from './page.js'

/** A schema as a table with one row per field. Fields of nested objects follow their parent. */
export function schemaTable(schema: JsonSchema): string {
  const rows = fieldRows(schema)
  if (rows.length === 0) return `<p>${typeOf(schema)}</p>`
  const note =
    schema.additionalProperties === false ? '' : '<p class="quiet">Further properties are ignored.</p>'
  return `<div class="wide"><table><thead><tr><th>Field</th><th>Type</th><th>Notes</th></tr></thead>
<tbody>${rows.join('')}</tbody></table></div>${note}`
}

function fieldRows({ properties = {}, required = [] }: JsonSchema, prefix = ''): string[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const notes = [
      required.includes(name) ? '' : 'Optional.',
      escapeHtml(field.description ?? ''),
      field.minLength ? `At least ${field.minLength} character.` : '',
    ]
    const nested = field.items ?? field
    return [
      `<tr><td><code>${escapeHtml(prefix + name)}</code></td><td>${typeOf(field)}</td><td>${notes.join(' ').trim()}</td></tr>`,
      ...fieldRows(nested, `${prefix}${name}${field.items ? '[]' : ''}.`),
    ]
  })
}

/** A type as HTML text, with links to the schemas it refers to. */
export function typeOf({ $ref, type, items, anyOf, allOf, const: constant, ...rest }: JsonSchema): string {
  if ($ref) return schemaLink($ref)
  if (allOf) return allOf.map(typeOf).filter(Boolean).join(', ')
  if (anyOf) return anyOf.map(typeOf).join(' or ')
  if (items) return `array of ${typeOf(items)}`
  if (constant !== undefined) return `<code>${escapeHtml(JSON.stringify(constant))}</code>`
  if (typeof rest.additionalProperties === 'object') {
    return `object of ${typeOf(rest.additionalProperties as JsonSchema)}`
  }
  return escapeHtml([type ?? []].flat().join(' or '))
}

const schemaLink = ($ref: string): string => {
  const name = escapeHtml($ref.split('/').at(-1) ?? '')
  return `<a href="#${name}">${name}</a>`
}
