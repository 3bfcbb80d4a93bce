import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openReader } from '../../../src/store/open/open-store.js'
import { withConnection } from '../../../src/store/sqlite/connection.js'
import { backUp } from '../../../src/store/sqlite/copy-database.js'
import { checkDatabase } from '../../../src/store/sqlite/maintain.js'
import { restoreFile } from '../../../src/store/sqlite/restore-file.js'
import { openSqliteStore } from '../open-stores.js'
import { createDatabase, damage } from './database-files.js'
import { entry, names } from './sqlite-folder.js'

type State = { folder: string; acknowledged: string[] }

let root: string
const states = new Map<string, State>()
/** How the process ended. A copy of the folder of an open store is what a killed process leaves. */
const stops = ['a clean stop', 'kill -9', 'kill -9 after a checkpoint']

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'data-folder-'))
  const file = await createDatabase(join(root, 'store.db'), ['before'])
  await backUp(file, join(root, 'backup.db'))
  const store = await openSqliteStore(file)
  const acknowledged = ['before']
  const leave = async (stop: string) => {
    const folder = mkdtempSync(join(root, 'state-'))
    execFileSync('sh', ['-c', 'cp -p store.db* "$0"', folder], { cwd: root })
    states.set(stop, { folder, acknowledged: [...acknowledged] })
  }
  const add = async (name: string) => {
    await store.addToWaitlist(entry(name))
    acknowledged.push(name)
  }
  await add('after')
  await leave('kill -9')
  await withConnection(file, 'write', 1000, (other) => other.exec('PRAGMA wal_checkpoint(PASSIVE)'))
  await add('later')
  await leave('kill -9 after a checkpoint')
  await store.close()
  await leave('a clean stop')
})
afterAll(() => rmSync(root, { recursive: true }))

/** What is done to the folder `data`, in the shell. The service starts with the folder `new`, if it was made. */
const steps = {
  nothing: '',
  cp: 'mkdir new; cp data/* new',
  'cp, the log first': 'mkdir new; cp data/*-wal new || true; cp data/store.db new',
  'cp -a': 'cp -a data new',
  rsync: 'rsync -a data/ new/',
  'tar, slowly':
    'tar -cf t data; mkdir new; tar -xmf t -C new --strip-components=1; touch -t 203501010000 new/store.db',
  restic: `export RESTIC_PASSWORD=x; restic init -r r; restic backup -r r data; restic restore -r r latest -t t; mv "$(find t -name data)" new`,
  'mv of the files': 'mkdir new; mv data/* new',
  'mv of the folder': 'mv data new',
  ln: 'mkdir new; ln data/* new',
  'ln -s': 'ln -s data new',
  'chown -R': 'chown -R 65534:65534 data',
  'chown of the file': 'chown 65534:65534 data/store.db',
  'chmod -R': 'chmod -R u+rwX,go= data; chmod 640 data/store.db',
  touch: 'touch data/*',
  'touch of the file': 'touch -t 203501010000 data/store.db',
  'a clock that was set back':
    'touch -t 203501010000 data/store.db; touch -t 200101010000 data/*-wal data/*-shm',
  'removal of the index': 'rm -f data/*-shm',
  'another file system': 'mkdir "$OTHER/f"; cp data/* "$OTHER/f"; ln -s "$OTHER/f" new',
  'another host': 'mkdir new; (cd data; tar -c .) | (cd new; tar -xm); rm -r data',
}

const has = (program: string) => spawnSync(program, ['--help']).error === undefined
const isRoot = process.getuid?.() === 0
const impossible = [
  ...['rsync', 'restic'].filter((program) => !has(program)),
  ...(isRoot ? [] : ['chown -R', 'chown of the file']),
  ...(existsSync('/dev/shm') ? [] : ['another file system']),
]
const possible = Object.entries(steps).filter(([name]) => !impossible.includes(name))

/** How an operator puts a backup over the file. */
const restores = {
  cp: 'cp backup.db data/store.db',
  'cp -p': 'touch -t 200101010000 backup.db; cp -p backup.db data/store.db',
  mv: 'mv backup.db data/store.db',
  'rm and cp': 'rm data/store.db; cp backup.db data/store.db',
}

/** Copies a state, changes it, and returns the path of the file from which the service starts. */
function prepare(state: State, script: string): string {
  const folder = mkdtempSync(join(root, 'cell-'))
  execFileSync('cp', ['-a', state.folder, join(folder, 'data')])
  copyFileSync(join(root, 'backup.db'), join(folder, 'backup.db'))
  const OTHER = existsSync('/dev/shm') ? mkdtempSync('/dev/shm/data-folder-') : join(folder, 'other')
  onTestFinished(() => rmSync(OTHER, { recursive: true, force: true }))
  const shell = { cwd: folder, env: { ...process.env, OTHER } }
  execFileSync('sh', ['-ec', script], { ...shell, stdio: ['ignore', 'ignore', 'pipe'] })
  return join(folder, existsSync(join(folder, 'new')) ? 'new' : 'data', 'store.db')
}

/** Starts with a file. Returns its addresses, and the warnings. */
async function startWith(file: string) {
  const onWarning = vi.fn()
  const store = await openSqliteStore(file, { onWarning, checkFully: true })
  const found = await names(store)
  await store.close()
  return { found: found.sort(), warnings: onWarning.mock.calls.flat() }
}

const otherLogs = (file: string) =>
  readdirSync(join(file, '..')).filter((name) => name.startsWith('store.db.other-log-'))

describe.skipIf(process.platform === 'win32').each(stops)('after %s', (stop) => {
  const stateOf = () => states.get(stop) as State
  const isKilled = stop.startsWith('kill')

  test.each(possible)('%s: everything acknowledged is there', async (_, script) => {
    const file = prepare(stateOf(), script)
    const { found, warnings } = await startWith(file)
    expect(found).toEqual(stateOf().acknowledged.toSorted())
    expect([warnings, otherLogs(file)]).toEqual([[], []])
  })

  test.each(Object.entries(restores))(
    'a backup by %s: it is used, and the log of the old file set aside',
    async (_, script) => {
      const log = join(stateOf().folder, 'store.db-wal')
      const file = prepare(stateOf(), script)
      const { found, warnings } = await startWith(file)
      expect(found).toEqual(['before'])
      const kept = otherLogs(file)
      expect(kept).toHaveLength(isKilled ? 1 : 0)
      for (const name of kept) {
        expect(readFileSync(join(file, '..', name))).toEqual(readFileSync(log))
        expect(warnings).toEqual([expect.stringContaining(`${file}-wal was left by another file`)])
        expect(warnings[0]).toContain(name)
      }
      expect((await startWith(file)).found).toEqual(['before'])
    },
  )

  test('a backup by "database restore": it is used, and the old file kept', async () => {
    const file = prepare(stateOf(), '')
    const { kept = '' } = await restoreFile(file, join(root, 'backup.db'), async () => {})
    expect((await startWith(file)).found).toEqual(['before'])
    expect((await startWith(kept)).found).toEqual(stateOf().acknowledged.toSorted())
  })

  test('removal of the file alone: a new one is made, and the log set aside', async () => {
    const file = prepare(stateOf(), 'rm data/store.db')
    expect((await startWith(file)).found).toEqual([])
    expect(otherLogs(file)).toHaveLength(isKilled ? 1 : 0)
  })

  test('damage to the file: it is refused, and its log kept', async () => {
    const file = prepare(stateOf(), '')
    damage(file)
    const contents = () => ['', '-wal'].map((end) => existsSync(file + end) && readFileSync(file + end))
    const before = contents()
    // A log may have every damaged page.
    const refused = await startWith(file).then(({ found }) => found, String)
    if (Array.isArray(refused)) expect(refused).toEqual(stateOf().acknowledged.toSorted())
    else {
      expect(refused).toContain('it is damaged')
      if (isKilled) expect(refused).toContain(`move ${file}-wal to another folder`)
      expect(contents()).toEqual(before)
    }
  })
})

describe.skipIf(process.platform === 'win32')('beside the log of another file', () => {
  test('commands that read use the file alone, and change nothing', async () => {
    const file = prepare(states.get('kill -9') as State, 'cp backup.db data/store.db')
    const contents = () => readdirSync(join(file, '..')).map((name) => readFileSync(join(file, '..', name)))
    const before = contents()
    expect((await checkDatabase(file)).ok).toBe(true)
    const reader = await openReader({ kind: 'sqlite', file, name: file })
    expect(await reader.waitlistAfter(undefined, 10)).toHaveLength(1)
    await reader.close()
    expect((await backUp(file, join(file, '../../second.db'))).waitlist).toBe(1)
    expect(contents()).toEqual(before)
  })

  test('a restore keeps both', async () => {
    const file = prepare(states.get('kill -9') as State, 'cp backup.db data/store.db')
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    onTestFinished(() => void vi.restoreAllMocks())
    const { kept = '' } = await restoreFile(file, join(root, 'backup.db'), async () => {})
    expect((await startWith(kept)).found).toEqual(['before'])
    expect(otherLogs(file)).toHaveLength(1)
    expect(process.emitWarning).toHaveBeenCalledWith(expect.stringContaining(`${file}-wal was left by`))
  })
})
