import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { bin, cleanEnv } from '../cli-process.js'
import { createEmulator } from './terminal-emulator.js'

/** The interpreter itself, and not what a version manager has put before it. */
const python =
  spawnSync('python3', ['-c', 'import pty, sys; print(sys.executable, end="")'], { encoding: 'utf8' })
    .stdout ?? ''

/** Whether this machine can make a terminal: python3 has it in its standard library, except on Windows. */
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

/** So long something may take to be shown, in milliseconds; then the test fails with what is shown instead. */
const patience = 15_000

const script = fileURLToPath(new URL('./run-on-terminal.py', import.meta.url))

type Options = { rows?: number; columns?: number; cwd?: string; env?: Record<string, string> }

/** Runs `dashboard-api` on a terminal. */
export const onTerminal = (args: string[], options?: Options) =>
  programOnTerminal(process.execPath, [bin, ...args], options)

/** The same for any program. */
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
  let isOver = false
  const ended = once(child, 'close').then(([code]: number[]) => {
    isOver = true
    return code
  })
  onTestFinished(async () => {
    child.stdin.end()
    await ended
  })
  const ask = (wanted: unknown) => child.stdin.write(`${JSON.stringify(wanted)}\n`)

  return {
    terminal,
    /** Settles with the exit code. */
    ended,
    type: (text: string) => ask({ type: text }),
    resize(newRows: number, newColumns: number) {
      terminal.resize(newRows, newColumns)
      ask({ size: [newRows, newColumns] })
    },
    /** Settles once what is shown matches. */
    async until(pattern: RegExp): Promise<RegExpMatchArray> {
      const tooLate = AbortSignal.timeout(patience)
      for (;;) {
        const match = pattern.exec(terminal.text())
        if (match) return match
        if (isOver || tooLate.aborted)
          throw new Error(`The terminal never showed ${pattern}:\n${terminal.text()}`)
        await Promise.race([once(child.stdout, 'data', { signal: tooLate }).catch(() => {}), ended])
      }
    },
  }
}

export type OnTerminal = ReturnType<typeof programOnTerminal>
