// Starts servers and the load generator as processes, each pinned to a core if the system allows it.
import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { cpuMs, rssMb } from '../drills/process-figures.js'
import { freePort, isListening } from '../free-port.js'
import { port as portArgument } from './subjects.js'

export const isPinned = availableParallelism() > 1 && spawnSync('taskset', ['-c', '0,1', 'true']).status === 0

/** Pins a process to a core: 0 for servers, 1 for load generators. */
export const pin = (child, core) => {
  if (isPinned) spawnSync('taskset', ['-a', '-p', '-c', String(core), String(child.pid)])
  return child
}

/** How long a server may take to listen, and by how much a run may exceed its time, in ms. */
const timeoutMs = 60_000

/**
 * Starts the server of a subject.
 * @returns its `url`; `startedMs`, the time to its first response; `cpuMs()`, the CPU time it has used; `rssMb()`, its
 *   resident memory; `stop()`
 */
export async function startServer({ name, args, workloads, env, logFile }) {
  const port = await freePort()
  const began = performance.now()
  const pinned = isPinned ? ['taskset', '-c', '0'] : []
  const given = args.map((arg) => (arg === portArgument ? port : arg))
  const [program, ...all] = [...pinned, process.execPath, ...given]
  const child = spawn(program, all, {
    env: { ...process.env, ...env },
    stdio: ['ignore', logFile ? openSync(logFile, 'w') : 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-2000)
  })
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${name} exited: ${stderr}`)
    if (performance.now() - began > timeoutMs) throw new Error(`${name} does not listen: ${stderr}`)
    await setTimeout(4)
  }
  const url = `http://127.0.0.1:${port}`
  const { path, cookies } = Object.values(workloads)[0]
  await (await fetch(url + path, { headers: cookies ? { cookie: cookies[0] } : {} })).arrayBuffer()
  return {
    url,
    startedMs: performance.now() - began,
    cpuMs: () => cpuMs(child.pid),
    rssMb: () => rssMb(child.pid),
    async stop() {
      if (child.exitCode !== null) return
      child.kill()
      const exit = once(child, 'exit').then(() => true)
      // A running timer would keep this process alive.
      const hasExited = await Promise.race([exit, setTimeout(12_000, false, { ref: false })])
      if (!hasExited) child.kill('SIGKILL')
    },
  }
}

/** Starts the load generator, which does one run at a time. A run may take a minute longer than its `ms`. */
export function startLoadGenerator() {
  const child = pin(fork(new URL('load-generator.js', import.meta.url)), 1)
  return {
    async run(options) {
      child.send({ run: options })
      const signal = AbortSignal.timeout(options.ms + timeoutMs)
      const [{ result, error }] = await once(child, 'message', { signal })
      if (error) throw new Error(error)
      return result
    },
    /** Reports the number of a completed commit. */
    reportCommit: (lastCommit) => child.send({ lastCommit }),
    stop: () => child.kill(),
  }
}
