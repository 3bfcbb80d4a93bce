import type { JsonSchema } from '../contract/openapi-schemas.js'
import { escapeHtml } from './page.js'

/** A table of HTML cells. */
export const table = (titles: string[], rows: string[][]): string =>
  `<div class="wide"><table><thead><tr>${titles.map((title) => `<th>${title}</th>`).join('')}</tr></thead>
<tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')}</tbody></table></div>`

/** A schema as a table with one row per field. Fields of nested objects follow their parent. */
export function schemaTable(schema: JsonSchema): string {
  const rows = fieldRows(schema)
  if (rows.length === 0) return `<p>${typeOf(schema)}</p>`
  const isOpen = schema.additionalProperties !== false
  const note = isOpen ? '<p class="quiet">Further properties are ignored.</p>' : ''
  return table(['Field', 'Type', 'Notes'], rows) + note
}

function fieldRows({ properties = {}, required = [] }: JsonSchema, prefix = ''): string[][] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const notes = [
      required.includes(name) ? '' : 'Optional.',
      escapeHtml(field.description ?? ''),
      field.minLength ? `At least ${field.minLength} character.` : '',
    ]
    const row = [`<code>${escapeHtml(prefix + name)}</code>`, typeOf(field), notes.join(' ').trim()]
    return [row, ...fieldRows(field.items ?? field, `${prefix}${name}${field.items ? '[]' : ''}.`)]
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
