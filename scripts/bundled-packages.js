import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The packages whose modules are in a bundle, by name: the fields of their package.json, with their folder. */
export function packagesIn(chunks) {
  const ids = chunks.flatMap(({ moduleIds = [] }) => moduleIds)
  const folders = new Set(ids.flatMap((id) => id.match(/^[^\0].*node_modules\/(?:@[^/]+\/)?[^/]+/) ?? []))
  const packages = new Map()
  for (const folder of folders) {
    const fields = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    // The same version may be installed in several places.
    packages.set(`${fields.name}@${fields.version}`, { ...fields, folder })
  }
  return [...packages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, fields]) => fields)
}

/** The licence texts of bundled packages. */
export const licenseTexts = (packages) => packages.map(noticeOf).join(`\n${'-'.repeat(80)}\n`)

/**
 * The bill of materials of bundled packages, in CycloneDX 1.6. It has no time and no serial number: the same
 * packages make the same file.
 * @param owner the package.json of the package that the bundle is part of
 */
export const billOfMaterials = (packages, owner) => ({
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: componentOf('application', owner) },
  components: packages.map((bundled) => componentOf('library', bundled)),
})

function componentOf(type, { name, version, license }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return { type, 'bom-ref': purl, name, version, purl, licenses: [licenseOf(license)] }
}

const licenseOf = (license) =>
  /[ ()]/.test(license) ? { expression: license } : { license: { id: license } }

function noticeOf({ folder, name, version, license, author }) {
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : mitText(license, author ?? name)
  return `${name}@${version} (${license})\n\n${text}`
}

/** The licence text of a package that names the MIT licence and has no file of it. */
function mitText(license, author) {
  if (license !== 'MIT')
    throw new Error(`A package of ${JSON.stringify(author)} has no text of its licence, ${license}.`)
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
