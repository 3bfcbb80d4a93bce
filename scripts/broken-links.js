import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The anchors that GitHub makes of the headings of a page. */
const anchorsOf = (text) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\d -]/gu, '')
      .replaceAll(' ', '-'),
  )

/** The links of a page, relative to the root, to files and sections that do not exist. Other sites are not asked. */
export function brokenLinks(root, page) {
  const read = (path) => readFileSync(join(root, path), 'utf8')
  const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link)
  return links.filter((link) => {
    if (/^https?:/.test(link)) return false
    const [path, anchor] = link.split('#')
    const target = path === '' ? page : join(dirname(page), path)
    if (!existsSync(join(root, target))) return true
    return anchor !== undefined && !anchorsOf(read(target)).includes(anchor)
  })
}
