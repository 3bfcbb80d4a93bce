import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fromCache, packDriver } from '../../test/package/packed-driver.js'

/** What the instructions of the Containerfile, npm and its scripts run. */
const programs = ['node', 'sh', 'rm', 'mkdir', 'chown', 'find', 'env']

const folders = ['etc', 'root', 'tmp', 'prebuilds', 'usr/bin', 'usr/lib', 'usr/lib64', 'usr/local/bin']

const pathOf = (program: string) =>
  realpathSync(execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim())

/** The shared libraries that a program or a native module loads. */
const librariesOf = (file: string): string[] =>
  [...execFileSync('ldd', [file], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g)].map(
    ([, path = '']) => path,
  )

/** Makes a folder from which an image can be built that has Node, npm and a shell, of the files of this machine. */
export function createBase(folder: string): string {
  const base = join(folder, 'base')
  const root = join(base, 'root')
  for (const name of folders) mkdirSync(join(root, name), { recursive: true })
  for (const name of ['bin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(root, name))
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/:/bin/sh\n')
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n')
  for (const program of programs) copyFileSync(pathOf(program), join(root, 'usr/bin', program))
  const bundlers = readdirSync('node_modules/@rolldown', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.node'))
    .map((name) => join('node_modules/@rolldown', name))
  for (const library of [...programs.map(pathOf), ...bundlers].flatMap(librariesOf)) {
    mkdirSync(join(root, dirname(library)), { recursive: true })
    copyFileSync(library, join(root, library))
  }
  cpSync(dirname(dirname(pathOf('npm'))), join(root, 'usr/local/lib/node_modules/npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'))
  packDriver(join(root, 'prebuilds'))
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  if (certificates && existsSync(certificates))
    writeFileSync(join(root, 'etc/certificates.pem'), readFileSync(certificates))
  writeFileSync(
    join(base, 'Containerfile'),
    `FROM scratch
COPY root /
ENV PATH=/usr/local/bin:/usr/bin NODE_EXTRA_CA_CERTS=/etc/certificates.pem
ENV npm_config_sqlite3_local_prebuilds=/prebuilds ${Object.entries(fromCache).map(([name, value]) => `${name}=${value}`)}
`,
  )
  return base
}
