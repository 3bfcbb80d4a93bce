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
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : textOf(license, author ?? name)
  return `${name}@${version} (${license})\n\n${text}`
}

/** The text of a licence whose package names it and brings no file of it. */
function textOf(license, author) {
  if (license !== 'MIT')
    throw new Error(`A package of ${JSON.stringify(author)} brings no text of its licence, ${license}.`)
  return `Copyright (c) ${author.name ?? author}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`
}
