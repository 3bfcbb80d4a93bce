import { ControlError } from '../state/control-error.js'

/** Headers as texts, as on the wire: `Retry-After: 5`. */
export const headerLines = (headers: Readonly<Record<string, string>> = {}): string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`)

/** The headers of such texts; undefined without any. @throws ControlError for a text that is none */
export function headersOf(lines: readonly string[]): Record<string, string> | undefined {
  const headers = lines.map((line) => {
    const [, name, value] = /^\s*([^:\s]+):\s*(.*?)\s*$/s.exec(line) ?? []
    if (name !== undefined && value !== undefined) return [name, value]
    throw notHeader(line)
  })
  return headers.length > 0 ? Object.fromEntries(headers) : undefined
}

export const notHeader = (text: string): ControlError =>
  new ControlError(`"${text}" is not a header: give one such as Retry-After: 5.`)
