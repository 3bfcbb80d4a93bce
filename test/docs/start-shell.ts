import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { missingLines } from './shell-blocks.js'

export type ShellOptions = {
  cwd: string
  env: NodeJS.ProcessEnv
  /** For the files of the shell itself. */
  folder: string
}

/**
 * Starts one `sh -eu` for all commands of a page: variables, aliases and functions last from block to block.
 * A program that does not end by itself writes its process id to the file that FOREGROUND names.
 */
export function startShell({ cwd, env, folder }: ShellOptions) {
  const foreground = join(folder, 'foreground')
  const script = join(folder, 'block.sh')
  const child = spawn('/bin/sh', ['-eu'], { cwd, env: { ...env, FOREGROUND: foreground } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  let hasEnded = false
  const ended = once(child, 'close').then(() => {
    hasEnded = true
  })
  // Its end is noticed by `ended`.
  child.stdin.on('error', () => {})
  child.stdin.write('exec 2>&1\n')

  const interrupt = () => {
    const pid = Number(readFileSync(foreground, 'utf8'))
    rmSync(foreground)
    if (pid > 0) process.kill(pid, 'SIGINT')
  }

  return {
    /**
     * Runs a block until its commands have ended. A program in the foreground is ended with Ctrl-C once it has written
     * the lines.
     * @returns what was written
     * @throws if a command failed
     */
    async run(commands: string, shown: readonly string[] = []): Promise<string> {
      const end = '--- the end of the block\n'
      output = ''
      writeFileSync(script, `${commands}\n`)
      child.stdin.write(`. ${script} </dev/null; echo '${end.trim()}'\n`)
      while (!output.endsWith(end)) {
        if (hasEnded) throw new Error(`A command ended with ${child.exitCode}:\n${output}`)
        if (existsSync(foreground) && shown.length > 0 && missingLines(shown, output).length === 0)
          interrupt()
        await Promise.race([once(child.stdout, 'data'), ended])
      }
      return output.slice(0, -end.length)
    },
    async close() {
      if (existsSync(foreground)) interrupt()
      child.kill('SIGKILL')
      await ended
    },
  }
}
