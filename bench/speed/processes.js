// Servers and load as processes: on a core each where the system can pin them.
import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { setTimeout } from 'node:timers/promises'

export const isPinned = availableParallelism() > 1 && spawnSync('taskset', ['-c', '0,1', 'true']).status === 0

/** Keeps a process on one core: 0 is that of the servers, 1 that of what loads them. */
export const pin = (child, core) => {
  if (isPinned) spawnSync('taskset', ['-a', '-p', '-c', String(core), String(child.pid)])
  return child
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

const isListening = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const done = (is) => () => {
      socket.destroy()
      resolve(is)
    }
    socket.once('connect', done(true))
    socket.once('error', done(false))
  })

/** How long a server may take to listen, and a run may take longer than it should, in ms. */
const patience = 60_000

/**
 * Starts the server of a subject.
 * @returns where it is; `startedMs` until its first answer; the processor time `cpuMs()` that it has used so far;
 *   the memory `rssMb()` that it holds
 */
export async function startServer({ name, command, work, cwd }) {
  const port = await freePort()
  const [file, args, env = {}] = command(port)
  const began = performance.now()
  const [program, ...all] = isPinned ? ['taskset', '-c', '0', file, ...args] : [file, ...args]
  const child = spawn(program, all, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said = (said + chunk).slice(-2000)
  })
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${said}`)
    if (performance.now() - began > patience) throw new Error(`${name} does not listen: ${said}`)
    await setTimeout(4)
  }
  const url = `http://127.0.0.1:${port}`
  const { path, cookies } = Object.values(work)[0]
  await (await fetch(url + path, { headers: cookies ? { cookie: cookies[0] } : {} })).arrayBuffer()
  return {
    url,
    startedMs: performance.now() - began,
    cpuMs: () => cpuMs(child.pid),
    rssMb: () => Number(/VmRSS:\s+(\d+)/.exec(proc(child.pid, 'status'))?.[1]) / 1024,
    async stop() {
      if (child.exitCode !== null) return
      child.kill()
      const isGone = await Promise.race([once(child, 'exit').then(() => true), setTimeout(12_000, false)])
      if (!isGone) child.kill('SIGKILL')
    },
  }
}

/** A process that loads servers, one run at a time; each takes its `ms`, and a minute more at most. */
export function startLoad() {
  const child = pin(fork(new URL('load.js', import.meta.url)), 1)
  return {
    async run(options) {
      child.send({ run: options })
      const signal = AbortSignal.timeout(options.ms + patience)
      const [{ result, error }] = await once(child, 'message', { signal })
      if (error) throw new Error(error)
      return result
    },
    /** Tells it the number of a change that was committed. */
    tell: (committed) => child.send({ committed }),
    stop: () => child.kill(),
  }
}

function proc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** The processor time that a process has used, in ms, all threads; NaN where the system does not say. */
function cpuMs(pid) {
  const fields = proc(pid, 'stat').split(') ').at(-1).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
