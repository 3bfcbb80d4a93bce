import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bin, startProcess } from '../cli/cli-process.js'

describe('the stack of a bug in the executable', () => {
  it.each([
    [
      'in the code of every command',
      'URL.canParse',
      ['session', 'use', 'acme-owner', '--url', 'http://x'],
      'src/cli/options.ts',
      'httpUrl(text)',
    ],
    [
      'in a module that a command loads',
      'URL.canParse',
      ['config', '--check'],
      'src/server/settings/http-url.ts',
      'URL.canParse(',
    ],
  ])('names file and line of the source, %s', async (_, broken, args, source, call) => {
    const breaking = `data:text/javascript,${broken} = () => { throw new Error('a bug') }`
    const { code, stderr } = await startProcess(process.execPath, ['--import', breaking, bin, ...args], {
      env: { ...process.env, DASHBOARD_API_PUBLIC_URL: 'http://x' },
    }).ended
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Error: a bug\n {4}at /)
    const [, line] = stderr.match(new RegExp(`/${source}:(\\d+):\\d+`)) ?? []
    const text = readFileSync(new URL(`../../${source}`, import.meta.url), 'utf8').split('\n')[
      Number(line) - 1
    ]
    expect(text).toContain(call)
    // Packages are minified, and named by their chunk.
    expect(stderr).not.toMatch(/dist\/executable\/(?!zod\.js)/)
  })
})
