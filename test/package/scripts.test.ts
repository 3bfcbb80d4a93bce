import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { emptyFolder } from '../cli/cli-process.js'

let root: string
const write = (path: string, text = '') => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const changeAt = (path: string, seconds: number) => utimesSync(join(root, path), seconds, seconds)
const script = (...args: string[]) => {
  const env = { ...process.env, PATH: `${join(root, 'bin')}:${process.env.PATH}` }
  return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env })
}

beforeEach(() => {
  root = emptyFolder()
  write('package.json', '{ "type": "module" }')
})

describe('build.js --if-changed', () => {
  const files = [
    ...['src/main.ts', 'workbench/main.tsx', 'fixtures/demo.json', 'scripts/build.js'],
    ...['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'],
  ]
  const isBuilt = () => {
    const { status, stdout } = script('scripts/build.js', '--if-changed')
    expect(status).toBe(0)
    return stdout.includes('compiled')
  }

  beforeEach(() => {
    for (const file of files) write(file, file === 'package.json' ? '{ "type": "module" }' : '')
    cpSync('scripts/build.js', join(root, 'scripts/build.js'))
    write('scripts/declarations.js')
    write('scripts/bundle.js')
    write('node_modules/typescript/bin/tsc', "console.log('compiled'); require('fs').mkdirSync('dist')")
    write('node_modules/typescript/package.json', '{}')
  })

  it.each(files)('builds where %s has changed, and only once', (file) => {
    expect([isBuilt(), isBuilt()]).toEqual([true, false])
    changeAt(file, Date.now() / 1000 + 1)
    expect(isBuilt()).toBe(true)
  })

  it.each([
    ['again', 2],
    ['--if-changed', 1],
  ])('waits for another process that builds; with %s there are %i', async (flag, count) => {
    // This compiler goes on when the file is there.
    write(
      'node_modules/typescript/bin/tsc',
      `const fs = require('fs')
      fs.appendFileSync('log', 'begin '); fs.mkdirSync('dist')
      while (!fs.existsSync('go')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
      fs.appendFileSync('log', 'end ')`,
    )
    const start = () => {
      const child = spawn(process.execPath, ['scripts/build.js', flag], { cwd: root })
      return { ended: once(child, 'close'), stderr: child.stderr.setEncoding('utf8') }
    }
    const log = () => (existsSync(join(root, 'log')) ? readFileSync(join(root, 'log'), 'utf8') : '')
    const first = start()
    await expect.poll(log).toBe('begin ')
    const second = start()
    expect((await once(second.stderr, 'data')).join()).toContain('waiting for it')
    write('go')
    expect(await Promise.all([first.ended, second.ended])).toEqual([
      [0, null],
      [0, null],
    ])
    expect(log()).toBe('begin end '.repeat(count))
    expect(isBuilt()).toBe(false)
  })

  it('builds where a process was killed that built', () => {
    const { pid } = script('-e', '')
    write('node_modules/.dashboard-api-build', String(pid))
    expect([isBuilt(), isBuilt()]).toEqual([true, false])
  })

  it('builds what the package imports of its own, which bundles contain', () => {
    const { imports } = JSON.parse(readFileSync('package.json', 'utf8'))
    const paths = Object.values<string>(imports).filter((path) => !path.startsWith('./dist/'))
    expect(files).toEqual(expect.arrayContaining(paths.map((path) => path.replace('./', ''))))
  })
})

describe('install.js', () => {
  it('replaces a link to the package that leads nowhere, as where the clone was moved', () => {
    const link = 'test/programs/node_modules/dashboard-api'
    cpSync('scripts/install.js', join(root, 'scripts/install.js'))
    write('bin/npm', '#!/bin/sh\n')
    chmodSync(join(root, 'bin/npm'), 0o755)
    write('test/programs/package-lock.json')
    write('test/programs/node_modules/.package-lock.json')
    symlinkSync(join(root, 'gone'), join(root, link))
    expect(script('scripts/install.js', 'test/programs')).toMatchObject({ status: 0 })
    expect(realpathSync(join(root, link))).toBe(realpathSync(root))
  })
})
