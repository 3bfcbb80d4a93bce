import { syntaxFault } from '../../store/locate-faults.js'

/** The first fault of a JSON file as Node reads it, which may begin with a byte order mark. */
export function jsonFault(text: string): { line: number; reason: string } | undefined {
  const json = text.replace(/^\uFEFF/, '')
  try {
    JSON.parse(json)
  } catch (error) {
    const fault = syntaxFault(json)
    return { line: fault?.position?.line ?? 1, reason: fault?.reason ?? (error as Error).message }
  }
}
