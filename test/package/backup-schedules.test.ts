import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { bin, cleanEnv, emptyFolder } from '../cli/cli-process.js'
import { createDatabase } from '../store/sqlite/database-files.js'

const read = (name: string) => readFileSync(`deploy/${name}`, 'utf8')
const units = readdirSync('deploy').filter((name) => /\.(service|timer)$/.test(name))
const noSystemd = spawnSync('systemd-analyze', ['--version']).status !== 0

const [, execStart = ''] = /^ExecStart=(.+)$/m.exec(read('dashboard-api-backup.service')) ?? []
const [, cronUser, cronCommand = ''] =
  /^17 \* \* \* \* (\S+) (.+)$/m.exec(read('dashboard-api-backup.cron')) ?? []

/** Runs a line of a schedule in a shell, as on a machine where the package is installed. */
async function runLine(line: string) {
  const folder = emptyFolder()
  const backups = join(folder, 'backups')
  mkdirSync(backups)
  const program = join(folder, 'dashboard-api')
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`)
  chmodSync(program, 0o755)
  const database = await createDatabase(join(folder, 'dashboard.db'), ['ada'])
  const command = line
    .replace('/usr/local/bin/dashboard-api', program)
    .replace('/var/backups/dashboard-api', backups)
  const env = cleanEnv({ PATH: `${folder}:/usr/bin:/bin`, DASHBOARD_API_DATABASE: database })
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], { env, encoding: 'utf8' })
  return { status, stdout, stderr, files: readdirSync(backups) }
}

const oneBackup = [expect.stringMatching(/^dashboard-.+Z\.db$/)]

test.each(['dashboard-api.service', 'dashboard-api-backup.service', 'dashboard-api-backup.cron'])(
  '%s runs with another npm prefix that has Node too',
  (name) => {
    const page = readFileSync('docs/operations.md', 'utf8')
    const calls = [...page.matchAll(/^sed -i "(.+)" (\/etc\/systemd\/system\/\S+)$/gm)]
    // Once for each page section that installs units.
    expect(calls.map(([, , files]) => files)).toEqual(
      Array(2).fill('/etc/systemd/system/dashboard-api*.service'),
    )
    const prefix = emptyFolder()
    mkdirSync(join(prefix, 'bin'))
    symlinkSync(process.execPath, join(prefix, 'bin/node'))
    symlinkSync(bin, join(prefix, 'bin/dashboard-api'))
    const expression = calls[0]?.[1]?.replace('$(npm prefix --global)', prefix) ?? ''
    const { stdout: text } = spawnSync('sed', [expression, `deploy/${name}`], { encoding: 'utf8' })
    const [, path = ''] = /^(?:Environment=)?PATH=(.+)$/m.exec(text) ?? []
    const [, program = 'dashboard-api'] = /^ExecStart=(\S+)/m.exec(text) ?? []
    // Without the folders that have a Node on this machine.
    const only = path.split(':').filter((folder) => folder.startsWith(prefix))
    const { status, stdout, stderr } = spawnSync(
      '/usr/bin/env',
      ['-i', `PATH=${only.join(':')}`, program, '--version'],
      {
        encoding: 'utf8',
      },
    )
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: expect.stringMatching(/\d/), stderr: '' })
  },
)

describe('the schedules of backups', () => {
  test.skipIf(noSystemd)(
    'are units that systemd accepts, and so is the service (where systemd-analyze is installed)',
    () => {
      const folder = emptyFolder()
      for (const name of units) {
        writeFileSync(join(folder, name), read(name).replaceAll('/usr/local/bin/dashboard-api', '/bin/true'))
      }
      // The drop-in for PostgreSQL in the documentation.
      const page = readFileSync('docs/operations.md', 'utf8')
      const [, dropIn = ''] =
        /dashboard-api\.service\.d\/postgresql\.conf <<END\n(.*?)^END$/ms.exec(page) ?? []
      expect(dropIn).toContain('[Service]')
      mkdirSync(join(folder, 'dashboard-api.service.d'))
      const text = dropIn.replace(/\$\(.*\)/, 'postgres://dashboard%%2Fapi@db/dashboard')
      writeFileSync(join(folder, 'dashboard-api.service.d/postgresql.conf'), text)
      const verify = (files: string[]) =>
        spawnSync('systemd-analyze', ['verify', '--man=no', ...files.map((name) => join(folder, name))], {
          encoding: 'utf8',
        })
      const { status, stderr } = verify(units)
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      writeFileSync(join(folder, 'wrong.timer'), '[Timer]\nOnCalender=hourly\n')
      expect(verify(['wrong.timer']).stderr).toContain("Unknown key 'OnCalender'")
    },
  )

  test('back up the database that the service uses', async () => {
    const variables = (name: string) =>
      read(name).match(/^(EnvironmentFile|Environment=DASHBOARD_API_DATABASE)=.*$/gm)
    expect(variables('dashboard-api-backup.service')).toEqual(variables('dashboard-api.service'))
    const [database] = /DASHBOARD_API_DATABASE=.*/.exec(read('dashboard-api.service')) ?? []
    expect(read('dashboard-api-backup.cron')).toContain(`\n${database}\n`)
    const [, user] = /^User=(.+)$/m.exec(read('dashboard-api-backup.service')) ?? []
    expect(cronUser).toBe(user)
  })

  test('print one JSON line to the journal with systemd', async () => {
    const { status, stdout, files } = await runLine(execStart)
    expect([status, JSON.parse(stdout).kept, files]).toEqual([0, files, oneBackup])
  })

  test('send mail with cron only after a failure', async () => {
    expect(await runLine(cronCommand)).toEqual({ status: 0, stdout: '', stderr: '', files: oneBackup })
    const failed = await runLine(cronCommand.replace('--to ', '--to /missing'))
    expect(failed).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('There is no folder /missing'),
    })
  })
})

test('deploy/litestream.yml replicates the database of the service', () => {
  const document = parseDocument(read('litestream.yml'))
  expect([...document.errors, ...document.warnings]).toEqual([])
  const { dbs } = document.toJS()
  const [, path] = /^Environment=DASHBOARD_API_DATABASE=(.*)$/m.exec(read('dashboard-api.service')) ?? []
  expect(dbs).toEqual([{ path, replica: { url: expect.stringMatching(/^s3:/) } }])
})
