import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { bin, cleanEnv, emptyFolder } from '../cli-process.js'

/** Whether there are terminals: tmux has a screen that can be read; `script` of util-linux records the output. */
export const hasTerminal =
  spawnSync('tmux', ['-V']).status === 0 && spawnSync('script', ['--version']).status === 0

export const keys = {
  up: '\x1b[A',
  down: '\x1b[B',
  enter: '\r',
  escape: '\x1b',
  tab: '\t',
  interrupt: '\x03',
  erase: '\x7f',
}

/** How long `until` waits, in milliseconds. */
const timeoutMs = 60_000

type Options = { rows?: number; columns?: number; cwd?: string; env?: Record<string, string> }

/** Runs `dashboard-api` on a terminal. */
export const onTerminal = (args: string[], options?: Options) =>
  programOnTerminal(process.execPath, [bin, ...args], options)

export const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Runs any program on a terminal. */
export function programOnTerminal(
  program: string,
  args: string[],
  { rows = 24, columns = 80, cwd = process.cwd(), env }: Options = {},
) {
  const folder = emptyFolder()
  const log = join(folder, 'written')
  const code = join(folder, 'code')
  writeFileSync(log, '')
  const all = cleanEnv({ TERM: 'xterm-256color', LANG: 'C.UTF-8', ...env })
  const tmux = (...command: string[]) =>
    execFileSync('tmux', ['-S', join(folder, 'socket'), '-f', '/dev/null', ...command], {
      encoding: 'utf8',
      env: cleanEnv({ LANG: 'C.UTF-8' }),
    })
  const variables = Object.entries(all).map(([name, value]) => quoted(`${name}=${value}`))
  const run = `env -i ${variables.join(' ')} ${[program, ...args].map(quoted).join(' ')}`
  // The program starts once its output is recorded.
  // A shell waits for its exit code: tmux may never learn it, and would report none. Ctrl+C and Ctrl+\ are not for that shell.
  const held = `tmux -S ${quoted(join(folder, 'socket'))} wait-for begin; trap : INT QUIT; ${run}; echo $? >${quoted(code)}`
  tmux(
    ...['new-session', '-d', '-x', `${columns}`, '-y', `${rows}`, '-c', cwd, held],
    ...[';', 'set', '-g', 'remain-on-exit', 'on', ';', 'set', '-g', 'remain-on-exit-format', ''],
    ...[';', 'set', '-g', 'status', 'off', ';', 'set', '-g', 'window-size', 'manual'],
    ...[';', 'resize-window', '-x', `${columns}`, '-y', `${rows}`],
    ...[';', 'pipe-pane', '-O', `exec cat >>${quoted(log)}`],
  )
  tmux('wait-for', '-S', 'begin')
  onTestFinished(() => void spawnSync('tmux', ['-S', join(folder, 'socket'), 'kill-server']))

  const is = (flag: string) => tmux('display-message', '-p', `#{${flag}}`).trim()
  const lines = () =>
    tmux('capture-pane', '-p')
      .trimEnd()
      .split('\n')
      .map((line) => line.trimEnd())
  const text = () => lines().join('\n')
  const hasEnded = () => is('pane_dead') === '1'

  return {
    terminal: {
      /** The lines of the screen, without trailing space. */
      lines,
      text,
      isAlternateScreen: () => is('alternate_on') === '1',
      isCursorShown: () => is('cursor_flag') === '1',
      /** Everything written so far. */
      written: () => readFileSync(log, 'utf8'),
    },
    /** Settles with the exit code, which is 128 more than the number of the signal that ended the program. */
    get ended(): Promise<number> {
      return (async () => {
        while (!hasEnded()) await setTimeout(20)
        return Number(readFileSync(code, 'utf8'))
      })()
    },
    type: (typed: string) =>
      tmux('send-keys', '-H', ...[...Buffer.from(typed)].map((byte) => byte.toString(16))),
    resize: (newRows: number, newColumns: number) =>
      tmux('resize-window', '-x', `${newColumns}`, '-y', `${newRows}`),
    /** Settles when the screen matches; rejects after a minute or at the end of the program. */
    async until(pattern: RegExp): Promise<RegExpMatchArray> {
      const end = Date.now() + timeoutMs
      for (;;) {
        const isLast = hasEnded() || Date.now() > end
        const match = pattern.exec(text())
        if (match) return match
        if (isLast) throw new Error(`The terminal never showed ${pattern}:\n${text()}`)
        await setTimeout(20)
      }
    },
  }
}

export type OnTerminal = ReturnType<typeof programOnTerminal>
