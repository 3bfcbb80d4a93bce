import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { emptyFolder, run } from '../cli-process.js'

const script = readFileSync(
  new URL('../../../node_modules/msw/lib/mockServiceWorker.js', import.meta.url),
  'utf8',
)
const { version } = JSON.parse(
  readFileSync(new URL('../../../node_modules/msw/package.json', import.meta.url), 'utf8'),
)
const older = script.replace(version, '2.0.1')

/** Creates a site whose public folder has a worker script with this text. */
function site(text?: string) {
  const cwd = emptyFolder()
  const file = `${cwd}/public/mockServiceWorker.js`
  mkdirSync(`${cwd}/public`)
  if (text !== undefined) writeFileSync(file, text)
  const init = (...args: string[]) => run(['init', 'public', ...args], { cwd })
  return { init, content: () => readFileSync(file, 'utf8') }
}

const file = 'public/mockServiceWorker.js'

describe('dashboard-api init', () => {
  test('copies the script of the installed MSW, and reports an unchanged copy as up to date', async () => {
    const { init, content } = site()
    expect(await init()).toMatchObject({
      code: 0,
      stdout: `${file}\n`,
      stderr: `${file} is created (MSW ${version}).\n`,
    })
    expect(content()).toBe(script)
    expect(await init()).toMatchObject({ code: 0, stderr: `${file} is up to date (MSW ${version}).\n` })
    expect(await init('--check')).toMatchObject({ code: 0, stdout: `${file}\n` })
  })

  test('replaces the copy of another version, and names that version', async () => {
    const old = site(older)
    expect(JSON.parse((await old.init('--json')).stdout)).toEqual({
      file,
      status: 'replaced',
      version,
      previous: '2.0.1',
    })
    expect(old.content()).toBe(script)
  })

  test.each([
    ['an edit', `${script}// mine`],
    ['a formatter', script.replaceAll("'", '"')],
  ])('does not call a copy old that differs by %s', async (_, text) => {
    const { init, content } = site(text)
    const found = `(MSW ${version}). Found there: a script with that version, and other content.`
    expect((await init('--check')).stderr).toContain(`error: ${file} is different ${found}\n`)
    expect((await init()).stderr).toBe(`${file} is replaced ${found}\n`)
    expect(content()).toBe(script)
  })

  test('does not call a copy old that is newer than the installed MSW', async () => {
    const { init } = site(script.replace(version, '99.0.0'))
    const found = `(MSW ${version}). Found there: a script of MSW 99.0.0.`
    expect((await init('--check')).stderr).toContain(`error: ${file} is different ${found}\n`)
  })

  test('ignores different line endings', async () => {
    const { init, content } = site(script.replaceAll('\n', '\r\n'))
    expect(JSON.parse((await init('--json')).stdout)).toEqual({ file, status: 'up to date', version })
    expect(content()).toContain('\r\n')
  })

  test.each([
    ['missing', undefined, {}, `error: ${file} is missing (MSW ${version}).\n`],
    [
      'different',
      older,
      { previous: '2.0.1' },
      `error: ${file} is different (MSW ${version}). Found there: a script of MSW 2.0.1.\n`,
    ],
  ])('--check exits with 1 if the copy is %s, and changes nothing', async (status, text, more, error) => {
    const { init, content } = site(text)
    const { code, stdout, stderr } = await init('--check', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual({ file, status, version, ...more })
    expect(stderr).toBe(`${error}hint: Run "npx dashboard-api init public".\n`)
    if (text === undefined) expect(content).toThrow('ENOENT')
    else expect(content()).toBe(text)
  })

  test('does not replace a different file', async () => {
    const { init, content } = site('addEventListener("fetch", mine)')
    expect(await init()).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('was not changed'),
    })
    expect(content()).toBe('addEventListener("fetch", mine)')
  })

  test('refuses a missing folder, with a hint', async () => {
    const cwd = emptyFolder()
    writeFileSync(`${cwd}/index.html`, '')
    for (const name of ['public', 'index.html']) {
      const { code, stdout, stderr } = await run(['init', name], { cwd })
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(
        /^error: There is no folder \S+\nhint: Name the folder whose files your site serves/,
      )
    }
  })
})
