import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { diffFrames } from '../../../src/cli/terminal/alternate-screen.js'
import { bin, emptyFolder } from '../cli-process.js'
import { hasTerminal, keys, onTerminal, programOnTerminal } from './on-terminal.js'
import { post, startDev } from './start-dev.js'

test('only the changed lines of a frame are drawn, each at its position', () => {
  expect(diffFrames(['a', 'b', 'c'], ['a', 'x'])).toBe('\x1b[2;1H\x1b[2Kx\x1b[0m\x1b[3;1H\x1b[2K\x1b[0m')
  expect(diffFrames(['a'], ['a'])).toBe('')
})

describe.skipIf(!hasTerminal)('the screen of dev (needs tmux)', () => {
  test('fits the terminal after each resize', async () => {
    const { view, sendRequest } = await startDev({ rows: 40, columns: 120 })
    for (let i = 0; i < 45; i++) await sendRequest()
    await view.until(/Decided by/)
    for (const [rows, columns] of [
      [20, 60],
      [30, 100],
      [12, 40],
      [24, 80],
    ] as const) {
      view.resize(rows, columns)
      await view.until(new RegExp(`^─{${columns}}$[\\s\\S]*^─{${columns}}$[\\s\\S]*Enter details`, 'm'))
      const lines = view.terminal.lines()
      expect(lines).toHaveLength(rows)
      expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(columns)
    }
  })

  test('is cleared once, and redrawn less often than requests arrive', async () => {
    const { view, sendRequest } = await startDev()
    const before = view.terminal.written().length
    const requests = 200
    await Promise.all(Array.from({ length: requests }, () => sendRequest()))
    await sendRequest(post)
    await view.until(/POST/)
    const drawn = view.terminal.written().slice(before)
    expect(drawn).not.toContain('\x1b[2J')
    expect(drawn.split('\x1b[?2026h').length).toBeLessThan(requests / 2)
  })

  test.each([
    ['Ctrl+C twice', keys.interrupt + keys.interrupt],
    ['letters', 'hq'],
    ['a letter and Ctrl+C', `h${keys.interrupt}`],
  ])('accepts %s that arrive in one read', async (_, typed) => {
    const view = onTerminal(['dev', '--port', '0'], { cwd: emptyFolder() })
    await view.until(/q quit/)
    view.type(typed)
    expect(await view.ended).toBe(0)
  })

  const hasBash = spawnSync('bash', ['--version']).status === 0
  test.skipIf(!hasBash)(
    'accepts keys again after it was stopped and returned to the foreground',
    async () => {
      const cwd = emptyFolder()
      writeFileSync(
        `${cwd}/hook.mjs`,
        `import { writeFileSync } from 'node:fs'
       writeFileSync('pid', String(process.pid))`,
      )
      const view = programOnTerminal('bash', ['--norc', '--noediting', '-i'], {
        cwd,
        env: { PS1: 'ready> ' },
      })
      await view.until(/ready>/)
      view.type(`NODE_OPTIONS=--import=${cwd}/hook.mjs "${process.execPath}" "${bin}" dev --port 0\r`)
      await view.until(/q quit/)
      process.kill(Number(readFileSync(`${cwd}/pid`, 'utf8')), 'SIGSTOP')
      await view.until(/Stopped/)
      const drawn = view.terminal.written().length
      view.type('fg\r')
      // The screen still shows the last frame: the new one comes after raw mode.
      await expect.poll(() => view.terminal.written().slice(drawn)).toMatch(/1049h[\s\S]*2J[\s\S]*help/)
      view.type('?')
      await view.until(/show the details of a request/)
      view.type('q')
      await view.until(/ready>$/)
      view.type('exit 7\r')
      expect(await view.ended).toBe(7)
    },
  )

  test.each([
    ['q', ''],
    ['Ctrl+C', keys.interrupt],
    ['SIGTERM', 'SIGTERM'],
    ['SIGHUP', 'SIGHUP'],
    ['a crash', 'SIGUSR2'],
  ])('restores the terminal after %s', async (name, how) => {
    const cwd = emptyFolder()
    mkdirSync(`${cwd}/at`)
    writeFileSync(
      `${cwd}/hook.mjs`,
      `import { writeFileSync } from 'node:fs'
       writeFileSync('at/pid', String(process.pid))
       process.on('SIGUSR2', () => { process.stderr.write('held\\n'); throw new Error('a bug') })`,
    )
    const command = `stty -a > at/before; "${process.execPath}" "${bin}" dev --port 0; echo code=$?; stty -a > at/after; echo > at/end; read rest`
    const view = programOnTerminal('/bin/sh', ['-c', command], {
      cwd,
      env: { NODE_OPTIONS: `--import=${cwd}/hook.mjs` },
    })
    await view.until(/q quit/)
    expect(view.terminal.isAlternateScreen()).toBe(true)
    expect(view.terminal.isCursorShown()).toBe(false)
    if (how.startsWith('SIG')) process.kill(Number(readFileSync(`${cwd}/at/pid`, 'utf8')), how)
    else view.type(how || 'q')
    const [, code] = await view.until(/code=(\d+)/)
    await expect.poll(() => existsSync(`${cwd}/at/end`)).toBe(true)

    expect(view.terminal.isAlternateScreen()).toBe(false)
    expect(view.terminal.isCursorShown()).toBe(true)
    await expect.poll(view.terminal.written).toContain('\x1b[?7h')
    expect(readFileSync(`${cwd}/at/after`, 'utf8')).toBe(readFileSync(`${cwd}/at/before`, 'utf8'))
    const isCrash = name === 'a crash'
    expect(code).toBe(isCrash ? '1' : name === 'SIGHUP' ? '129' : '0')
    if (isCrash) expect(view.terminal.text()).toMatch(/^held\n[\s\S]*Error: a bug/m)
    else expect(view.terminal.text()).toBe(`code=${code}`)
  })
})
