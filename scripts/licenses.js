import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Which packages a bundle is made of, and under which licences. */
export function licensesOf(output) {
  const ids = output.flatMap(({ moduleIds = [] }) => moduleIds)
  const folders = new Set(ids.flatMap((id) => id.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/) ?? []))
  const notices = new Set([...folders].map(noticeOf))
  return [...notices].sort().join(`\n${'-'.repeat(80)}\n`)
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : 'No licence file in the package.'
  return `${name}@${version} (${license})\n\n${text}`
}
