import { literal } from './fetch-call.js'

export type Json = null | boolean | number | string | Json[] | { [field: string]: Json | undefined }

/** A value as JavaScript, on one line if it is short. */
export function js(value: Json): string {
  if (typeof value === 'string') return literal(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const parts = Array.isArray(value)
    ? value.map(js)
    : Object.entries(value).flatMap(([name, field]) =>
        field === undefined
          ? []
          : [`${/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)}: ${js(field)}`],
      )
  if (parts.length === 0) return `${open}${close}`
  const line = Array.isArray(value) ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`
  if (line.length <= 80 && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `  ${part.replaceAll('\n', '\n  ')},\n`).join('')}${close}`
}
