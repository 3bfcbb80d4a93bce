// Refuses a release that is not ready (`npm run release:check`), with every reason.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { brokenLinks } from './broken-links.js'

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim()

/** The sections of the changelog, the newest first: a version or `Unreleased`, and the text below. */
const sectionsOf = (changelog) =>
  changelog
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: /^\[([^\]]+)\]/.exec(section)?.[1] ?? '',
      text: section.replace(/^.*\n/, '').replace(/^#.*$/gm, '').trim(),
    }))

/** Why the version of package.json cannot be released. `Unreleased` may stand for it until the heading is renamed. */
function faults() {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const [newest, ...older] = sectionsOf(readFileSync('CHANGELOG.md', 'utf8'))
  const pages = git('ls-files', '*.md').split('\n')
  const isKnown = newest?.title === version || newest?.title === 'Unreleased'
  const changed = git('status', '--porcelain')
  return [
    !isKnown && `CHANGELOG.md begins neither with [Unreleased] nor with [${version}].`,
    isKnown && newest.text === '' && `The section [${newest.title}] of CHANGELOG.md is empty.`,
    older.some(({ title }) => title === version) && `CHANGELOG.md has the version ${version} already.`,
    git('tag', '--list', `v${version}`) !== '' && `The tag v${version} exists already.`,
    changed !== '' && `Files have changes that are not committed:\n${changed}`,
    ...pages.map((page) => {
      const links = brokenLinks('.', page)
      return links.length > 0 && `${page} has links that lead nowhere: ${links.join(', ')}`
    }),
  ].filter(Boolean)
}

const found = faults()
for (const fault of found) console.error(fault)
if (found.length === 0) console.log('Ready to release.')
process.exitCode = found.length === 0 ? 0 : 1
