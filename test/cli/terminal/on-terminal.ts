import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { bin, cleanEnv } from '../cli-process.js'
import { createEmulator } from './terminal-emulator.js'

/** The path of the interpreter itself, not of a version manager's wrapper. */
const python =
  spawnSync('python3', ['-c', 'import pty, sys; print(sys.executable, end="")'], { encoding: 'utf8' })
    .stdout ?? ''

/** Whether pseudo-terminals are available: python3 has them in its standard library, except on Windows. */
export const hasPty = python !== ''

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

const script = fileURLToPath(new URL('./run-on-terminal.py', import.meta.url))

type Options = { rows?: number; columns?: number; cwd?: string; env?: Record<string, string> }

/** Runs `dashboard-api` on a terminal. */
export const onTerminal = (args: string[], options?: Options) =>
  programOnTerminal(process.execPath, [bin, ...args], options)

/** Runs any program on a terminal. */
export function programOnTerminal(
  program: string,
  args: string[],
  { rows = 24, columns = 80, cwd, env }: Options = {},
) {
  const child = spawn(python, [script, `${rows}`, `${columns}`, program, ...args], {
    cwd,
    env: cleanEnv({ TERM: 'xterm-256color', LANG: 'C.UTF-8', ...env }),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const terminal = createEmulator(rows, columns)
  child.stdout.setEncoding('utf8').on('data', (text: string) => terminal.write(text))
  child.stdin.on('error', () => {})
  let hasEnded = false
  const ended = once(child, 'close').then(([code]: number[]) => {
    hasEnded = true
    return code
  })
  onTestFinished(async () => {
    child.stdin.end()
    await ended
  })
  const send = (command: unknown) => child.stdin.write(`${JSON.stringify(command)}\n`)

  return {
    terminal,
    /** Settles with the exit code. */
    ended,
    type: (text: string) => send({ type: text }),
    resize(newRows: number, newColumns: number) {
      terminal.resize(newRows, newColumns)
      send({ size: [newRows, newColumns] })
    },
    /** Settles when the screen matches; rejects after 15 seconds or at the end of the program. */
    async until(pattern: RegExp): Promise<RegExpMatchArray> {
      const timeout = AbortSignal.timeout(timeoutMs)
      for (;;) {
        const match = pattern.exec(terminal.text())
        if (match) return match
        if (hasEnded || timeout.aborted)
          throw new Error(`The terminal never showed ${pattern}:\n${terminal.text()}`)
        await Promise.race([once(child.stdout, 'data', { signal: timeout }).catch(() => {}), ended])
      }
    },
  }
}

export type OnTerminal = ReturnType<typeof programOnTerminal>
