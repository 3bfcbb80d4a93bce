// docs/reliability.md: each of some commands writes its own section, between two comments with its name.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const page = new URL('../../docs/reliability.md', import.meta.url)

/** Writes a section, which replaces the one of that name, or comes at the end. */
export function writeSection(name, text) {
  const before = existsSync(page) ? readFileSync(page, 'utf8') : '# Reliability\n'
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const section = `${start}\n${text.trim()}\n${end}`
  const [head, rest] = before.split(start)
  writeFileSync(page, rest === undefined ? `${head}\n${section}\n` : `${head}${section}${rest.split(end)[1]}`)
}

/** The sections of the page that such commands wrote. */
export const markedSections = (text) =>
  [...text.matchAll(/^<!-- (\w+) -->\n.*?^<!-- \/\1 -->\n/gms)].map(([section]) => section)
