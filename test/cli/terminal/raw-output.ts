import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { bin, cleanEnv, mainModule } from '../cli-process.js'
import { quoted } from './on-terminal.js'

/** Runs `dashboard-api` on a terminal, and collects its output with escape codes. */
export const rawOutput = (args: string[], env: Record<string, string> = {}) =>
  rawOutputOf([bin, ...args], env)

/** Runs several command lines on one terminal, in one process. @returns the output of each */
export async function rawOutputOfAll(commands: string[][], env: Record<string, string>): Promise<string[]> {
  const { text } = await rawOutputOf(argumentsForAll(commands), env).ended
  return text
    .split('\x1e')
    .slice(0, -1)
    .map((part) => part.split('\x1d')[0] ?? '')
}

/** The arguments of Node for a process that runs several command lines, which takes a tenth of the time. */
const argumentsForAll = (commands: string[][]): string[] => [
  fileURLToPath(new URL('../run-commands.js', import.meta.url)),
  mainModule,
  JSON.stringify(commands),
]

function rawOutputOf(args: string[], env: Record<string, string>) {
  const command = [process.execPath, ...args].map(quoted).join(' ')
  const child = spawn('script', ['-qec', `stty rows 24 cols 90; exec ${command}`, '/dev/null'], {
    // With CI set, Ink would draw only the last frame.
    env: cleanEnv({ TERM: 'xterm-256color', LANG: 'C.UTF-8', CI: 'false', ...env }),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more
  })
  child.stdin.on('error', () => {})
  const ended = once(child, 'close').then(([code]) => ({ code, text }))
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  const until = async (pattern: RegExp) => {
    while (!pattern.test(text)) await Promise.race([once(child.stdout, 'data'), ended])
  }
  return { ended, until, type: (text: string) => child.stdin.write(text) }
}
