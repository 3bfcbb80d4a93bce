// nginx, Caddy and HAProxy, where installed, with the configuration of `deploy/`, without TLS.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, isListening } from '../free-port.js'
import { endWithThis } from './processes.js'

/** The reason why a proxy cannot be used; undefined where it is installed. */
export const notInstalled = (program) => spawnSync(program, ['-v']).error && `${program} is not installed`

const deployed = (file) => readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8')
const hostOf = (url) => new URL(url).host

/** Writes the configuration of each program into a folder. @returns its arguments and environment */
const commands = {
  nginx(nodes, port, folder) {
    const lines = ['server 127.0.0.1:8080', '# server 127.0.0.1:8081', '# server 10.0.0.12:8080']
    const server = nodes
      .reduce((text, url, i) => text.replace(lines[i], `server ${hostOf(url)}`), deployed('nginx.conf'))
      .replace('listen 443 ssl http2', `listen 127.0.0.1:${port}`)
      .replace(/ssl_certificate.*\n/g, '')
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    const file = join(folder, 'nginx.conf')
    writeFileSync(
      file,
      `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {}
       http { access_log off; ${paths.join(' ')} ${server} }`,
    )
    execFileSync('nginx', ['-t', '-q', '-c', file])
    return [['-c', file]]
  },
  caddy(nodes, port, folder) {
    const site = deployed('Caddyfile')
      .replace('api.example.com {', `http://:${port} {\n\tbind 127.0.0.1`)
      .replace('reverse_proxy 127.0.0.1:8080', `reverse_proxy ${nodes.map(hostOf).join(' ')}`)
    const file = join(folder, 'Caddyfile')
    writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n}\n${site}`)
    return [['run', '--config', file], { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder }]
  },
  haproxy(nodes, port, folder) {
    const config = nodes.reduce(
      (text, url, i) => text.replace(`node-${i + 1}:8080`, hostOf(url)),
      deployed('haproxy.cfg').replace('bind :8080', `bind 127.0.0.1:${port}`),
    )
    const file = join(folder, 'haproxy.cfg')
    writeFileSync(file, config)
    execFileSync('haproxy', ['-c', '-q', '-f', file])
    return [['-db', '-f', file]]
  },
}

/**
 * Starts a proxy in front of some nodes, and resolves with its URL when it listens.
 * @param program `nginx`, `caddy` or `haproxy`
 * @param nodes the URLs of the nodes: three at most for nginx and HAProxy
 * @param setting.folder an empty folder, readable by the user of the proxy's workers
 * @param setting.onEnd registers the function that ends the proxy
 */
export async function startProxy(program, nodes, { folder, onEnd }) {
  const port = await freePort()
  const [args, env] = commands[program](nodes, port, folder)
  const child = endWithThis(spawn(program, args, { env: { ...process.env, ...env }, stdio: 'ignore' }))
  const exit = once(child, 'close')
  onEnd(async () => {
    child.kill('SIGTERM')
    await exit
  })
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`)
    await sleep(20)
  }
  return `http://127.0.0.1:${port}`
}
