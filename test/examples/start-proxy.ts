import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { freePort } from '../../bench/free-port.js'

/** Why a program cannot be tested with; undefined where it is installed. */
export const notInstalled = (program: string): string | undefined =>
  spawnSync(program, ['-v']).error && `${program} is not installed`

/** Starts nginx with deploy/nginx.conf in front of one to three nodes, without TLS. */
export async function startNginx(nodes: readonly string[]): Promise<string> {
  const port = await freePort()
  const folder = await temporaryFolder()
  const lines = ['server 127.0.0.1:8080', '# server 127.0.0.1:8081', '# server 10.0.0.12:8080']
  let server = await readFile('deploy/nginx.conf', 'utf8')
  for (const [i, url] of nodes.entries()) {
    server = server.replace(lines[i] ?? '', `server ${new URL(url).host}`)
  }
  server = server
    .replace('listen 443 ssl http2', `listen 127.0.0.1:${port}`)
    .replace(/ssl_certificate.*\n/g, '')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const file = join(folder, 'nginx.conf')
  await writeFile(
    file,
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {}
     http { access_log off; ${paths.join(' ')} ${server} }`,
  )
  execFileSync('nginx', ['-t', '-q', '-c', file])
  return started(spawn('nginx', ['-c', file], { stdio: 'ignore' }), port)
}

/** Starts Caddy with deploy/Caddyfile in front of these nodes, without TLS. */
export async function startCaddy(nodes: readonly string[]): Promise<string> {
  const port = await freePort()
  const folder = await temporaryFolder()
  const site = (await readFile('deploy/Caddyfile', 'utf8'))
    .replace('api.example.com {', `http://:${port} {\n\tbind 127.0.0.1`)
    .replace(
      'reverse_proxy 127.0.0.1:8080',
      `reverse_proxy ${nodes.map((url) => new URL(url).host).join(' ')}`,
    )
  const file = join(folder, 'Caddyfile')
  await writeFile(file, `{\n\tadmin off\n\tauto_https off\n}\n${site}`)
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder }
  return started(spawn('caddy', ['run', '--config', file], { env, stdio: 'ignore' }), port)
}

/** Starts HAProxy with deploy/haproxy.cfg in front of these nodes. */
export async function startHaproxy(nodes: readonly string[]): Promise<string> {
  const port = await freePort()
  const folder = await temporaryFolder()
  let config = (await readFile('deploy/haproxy.cfg', 'utf8')).replace('bind :8080', `bind 127.0.0.1:${port}`)
  for (const [i, url] of nodes.entries()) {
    config = config.replace(`node-${i + 1}:8080`, new URL(url).host)
  }
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, config)
  execFileSync('haproxy', ['-c', '-q', '-f', file])
  return started(spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' }), port)
}

/** Waits until a proxy listens. It is killed at the end of the test. */
async function started(child: ChildProcess, port: number): Promise<string> {
  const ended = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`)
    await wait(20)
  }
  return `http://127.0.0.1:${port}`
}

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'proxy-'))
  // The workers of nginx run as another user where the test runs as root.
  await chmod(folder, 0o755)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
