/** A unit of systemd: the values of each key, in order; an empty value removes those before it. */
export type Unit = ReadonlyMap<string, readonly string[]>

/** Reads a unit with its drop-ins. */
export function parseUnit(...texts: string[]): Unit {
  const unit = new Map<string, string[]>()
  let section = ''
  for (const line of texts.join('\n').replaceAll('\\\n', ' ').split('\n')) {
    if (/^\s*([#;]|$)/.test(line)) continue
    const heading = /^\[(\w+)\]$/.exec(line)?.[1]
    const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? []
    if (heading) section = heading
    else if (key === undefined || value === undefined) throw new Error(`no line of a unit: ${line}`)
    else unit.set(`${section}.${key}`, value === '' ? [] : [...(unit.get(`${section}.${key}`) ?? []), value])
  }
  return unit
}

/** The words of a command line or an assignment, of which quotation marks join parts. */
export const wordsOf = (value: string): string[] =>
  (value.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []).map((word) => word.replace(/["']/g, ''))

/** The variables of an EnvironmentFile. */
export const parseEnvironment = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^\s*([A-Za-z_]\w*)=(.*)$/gm)].map(([, name, value = '']) => [
      name,
      value.trim().replace(/^(["'])(.*)\1$/, '$2'),
    ]),
  )
