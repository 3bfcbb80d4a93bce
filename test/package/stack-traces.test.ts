import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bin, startProcess } from '../cli/cli-process.js'

describe('the stack of a bug in the executable', () => {
  it('names functions and readable lines', async () => {
    const breaking = `data:text/javascript,URL.canParse = () => { throw new Error('a bug') }`
    const args = ['session', 'use', 'acme-owner', '--url', 'http://x']
    const { code, stderr } = await startProcess(process.execPath, ['--import', breaking, bin, ...args]).ended
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Error: a bug\n {4}at /)
    const [, file = '', line] = / at httpUrl \(file:\/\/(.+):(\d+):\d+\)/.exec(stderr) ?? []
    expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toContain('URL.canParse(')
  })
})
