import { shown } from '../../contract/shown.js'

/** The most differences of a body that are named. */
const maxNamed = 5

/**
 * Compares a body with an expected one. An object has at least the fields of the expected one; everything else is equal.
 * @returns each difference in words, such as `name is "Apolo", not "Apollo"`; an empty list without any
 */
export const differencesOf = (expected: unknown, body: unknown): string[] => {
  const all = differencesAt('', expected, body)
  return all.length > maxNamed ? [...all.slice(0, maxNamed), `${all.length - maxNamed} more`] : all
}

function differencesAt(path: string, expected: unknown, body: unknown): string[] {
  if (body === undefined) return expected === undefined ? [] : [`${path || 'the body'} is missing`]
  if (isObject(expected) && isObject(body)) {
    return Object.entries(expected).flatMap(([name, value]) =>
      differencesAt(
        path ? `${path}.${name}` : name,
        value,
        Object.hasOwn(body, name) ? body[name] : undefined,
      ),
    )
  }
  if (Array.isArray(expected) && Array.isArray(body) && expected.length === body.length) {
    return expected.flatMap((value, i) => differencesAt(`${path}[${i}]`, value, body[i]))
  }
  const isSame = JSON.stringify(expected) === JSON.stringify(body)
  return isSame ? [] : [`${path || 'the body'} is ${shown(body)}, not ${shown(expected)}`]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
