import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DatabaseRefusedError } from '../../../src/store/database-refused.js'
import { openPostgresStore } from '../open-stores.js'
import { addressOf, noPostgres, openClient } from './postgres-database.js'
import { type PostgresServer, startPostgres } from './start-postgres.js'

const noTls =
  noPostgres ??
  (process.env.DASHBOARD_API_TEST_POSTGRES
    ? 'the given PostgreSQL has no certificate of the tests'
    : spawnSync('openssl', ['version']).error && 'openssl is not installed')

describe.skipIf(noTls)('TLS to PostgreSQL', () => {
  let folder: string
  let server: PostgresServer
  const file = (name: string) => join(folder, name)

  /** A self-signed certificate for a name. */
  const createCertificate = (name: string, subject: string) =>
    execFileSync(
      'openssl',
      [
        ...[
          'req',
          '-x509',
          '-newkey',
          'ec',
          '-pkeyopt',
          'ec_paramgen_curve:prime256v1',
          '-nodes',
          '-days',
          '30',
        ],
        ...['-subj', '/CN=tests', '-addext', `subjectAltName=${subject}`],
        ...['-keyout', file(`${name}.key`), '-out', file(`${name}.crt`)],
      ],
      { stdio: 'ignore' },
    )

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postgres-tls-'))
    await chmod(folder, 0o755)
    createCertificate('server', 'IP:127.0.0.1')
    createCertificate('other', 'IP:127.0.0.1')
    if (process.getuid?.() === 0) {
      const uid = Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' }))
      await chown(file('server.key'), uid, 0)
    }
    await chmod(file('server.key'), 0o600)
    server = await startPostgres([
      'ssl=on',
      `ssl_cert_file=${file('server.crt')}`,
      `ssl_key_file=${file('server.key')}`,
    ])
  })
  afterAll(async () => {
    await server?.stop()
    if (folder) await rm(folder, { recursive: true })
  })

  /** Whether the connections of a store use TLS. */
  async function isEncrypted(parameters: string, host = '127.0.0.1'): Promise<boolean> {
    const address = addressOf(server.url.replace('127.0.0.1', host) + parameters)
    const store = await openPostgresStore(address, { applicationName: 'tls' })
    await store.listTeams()
    const client = await openClient(server.url)
    const { rows } = await client.query(
      "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'tls'",
    )
    await client.end()
    await store.close()
    return rows.length > 0 && rows.every(({ ssl }) => ssl)
  }
  const root = (name: string) => `&sslrootcert=${encodeURIComponent(file(`${name}.crt`))}`

  test.each([
    ['', false],
    ['?sslmode=disable', false],
    ['?sslmode=require', true],
  ])('is used with %j', async (parameters, expected) => {
    expect(await isEncrypted(parameters)).toBe(expected)
  })

  test('checks the certificate and its host with verify-full', async () => {
    expect(await isEncrypted(`?sslmode=verify-full${root('server')}`)).toBe(true)
    await expect(isEncrypted(`?sslmode=verify-full${root('other')}`)).rejects.toThrow(DatabaseRefusedError)
    await expect(isEncrypted(`?sslmode=require${root('other')}`)).rejects.toThrow(/sslrootcert/)
    await expect(isEncrypted('?sslmode=verify-full')).rejects.toThrow(/sslrootcert/)
    await expect(isEncrypted(`?sslmode=verify-full${root('server')}`, 'localhost')).rejects.toThrow(
      DatabaseRefusedError,
    )
    expect(await isEncrypted(`?sslmode=verify-ca${root('server')}`, 'localhost')).toBe(true)
  })

  test('names the certificate that cannot be read', async () => {
    await expect(isEncrypted('?sslmode=verify-full&sslrootcert=/none')).rejects.toThrow(
      'the file /none cannot be read (ENOENT)',
    )
  })
})
