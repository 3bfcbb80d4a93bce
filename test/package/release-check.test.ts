import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder } from '../cli/cli-process.js'

const script = resolve('scripts/release-check.js')
const older = '\n## [0.9.0] - 2026-01-01\n\n### Added\n\n- Everything.\n'
const ready = {
  'package.json': '{ "version": "1.0.0" }',
  'CHANGELOG.md': `# Changelog\n\n## [1.0.0] - 2026-02-02\n\n### Added\n\n- A thing.\n${older}`,
  'docs/page.md': '# A page\n\n[The other one](other.md#a-section), [elsewhere](https://example.com)\n',
  'docs/other.md': '# Other\n\n## A section\n',
}

/** A repository that is ready for a release, with these changed files in a commit. */
function repository(files: Record<string, string> = {}) {
  const cwd = emptyFolder()
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@a.example', ...args], { cwd })
  for (const [path, text] of Object.entries({ ...ready, ...files })) write(path, text)
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'Begin')
  const check = () => {
    const { status, stderr } = spawnSync(process.execPath, [script], { cwd, encoding: 'utf8' })
    return { status, stderr }
  }
  return { cwd, git, write, check }
}

test('a ready release passes, even before its heading is renamed', () => {
  expect(repository().check()).toEqual({ status: 0, stderr: '' })
  const changelog = `## [Unreleased]\n\n- A thing.\n${older}`
  expect(repository({ 'CHANGELOG.md': changelog }).check()).toEqual({ status: 0, stderr: '' })
})

test.each([
  [
    'empty',
    { 'CHANGELOG.md': `## [Unreleased]\n\n### Added\n${older}` },
    '[Unreleased] of CHANGELOG.md is empty',
  ],
  [
    'empty once renamed',
    { 'CHANGELOG.md': `## [1.0.0] - 2026-02-02\n${older}` },
    '[1.0.0] of CHANGELOG.md is empty',
  ],
  ['missing', { 'CHANGELOG.md': older }, 'neither with [Unreleased] nor with [1.0.0]'],
])('a section that is %s is refused', (_, files, message) => {
  const { status, stderr } = repository(files).check()
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) })
})

test('an existing version is refused, in the changelog or as a tag', () => {
  const files = {
    'CHANGELOG.md': `## [Unreleased]\n\n- A thing.\n\n## [1.0.0] - 2026-01-01\n\n- Everything.\n`,
  }
  expect(repository(files).check()).toEqual({
    status: 1,
    stderr: 'CHANGELOG.md has the version 1.0.0 already.\n',
  })
  const tagged = repository()
  tagged.git('tag', 'v1.0.0')
  expect(tagged.check()).toEqual({ status: 1, stderr: 'The tag v1.0.0 exists already.\n' })
})

test('a tree with changes is refused', () => {
  const changed = repository()
  changed.write('docs/new.md', '# New\n')
  expect(changed.check()).toEqual({ status: 1, stderr: expect.stringContaining('?? docs/new.md') })
  rmSync(join(changed.cwd, 'docs/new.md'))
  changed.write('docs/other.md', '# Other\n\n## A section\n\nMore.\n')
  expect(changed.check()).toEqual({ status: 1, stderr: expect.stringContaining('M docs/other.md') })
})

test('broken links are refused, with their page', () => {
  const files = { 'docs/page.md': '[a](missing.md) [b](other.md#no-section) [c](other.md)\n' }
  expect(repository(files).check()).toEqual({
    status: 1,
    stderr: 'docs/page.md has links that lead nowhere: missing.md, other.md#no-section\n',
  })
})
