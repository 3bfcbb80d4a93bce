import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compare } from '../../../bench/drills/compare.js'
import { cannotKeepFlushed, watchFlushes } from '../../../bench/drills/flushed-files.js'

describe('the history of a drill is compared with a database:', () => {
  const created = (name: string, sent: number, acknowledged: number) => ({ name, sent, acknowledged })
  const project = (name: string, status = 'active') => ({ id: name, name, status })
  const history = [
    created('Drill 1', 1, 2),
    created('Drill 2', 3, 5),
    created('Drill 3', 4, Number.POSITIVE_INFINITY),
    { project: 'p', number: 1, sent: 6, acknowledged: 7 },
  ]
  const whole = [project('Drill 1'), project('Drill 2'), project('p', '1')]
  const right = { lost: 0, doubled: 0, torn: false, foreign: 0 }

  test('unacknowledged writes may be missing; acknowledged ones are there once', () => {
    expect(compare(history, whole)).toEqual(right)
    expect(compare(history, [...whole, project('Drill 3')])).toEqual(right)
    expect(compare(history, whole.slice(1))).toMatchObject({ lost: 1, torn: true })
    const older = [...whole.slice(0, 2), project('p', '0')]
    expect(compare(history, older)).toEqual({ ...right, lost: 1 })
    const more = [...whole, project('Drill 1'), project('Drill 9')]
    expect(compare(history, more)).toEqual({ ...right, doubled: 1, foreign: 1 })
  })

  test('a copy shows one moment between two times', () => {
    // A moment before the second creation was acknowledged and the update was sent.
    expect(compare(history, [project('Drill 1')], { from: 2, to: 5 })).toEqual(right)
    expect(compare(history, [], { from: 2, to: 5 })).toEqual({ ...right, lost: 1 })
    // The copy has the update, but not the second creation, which was acknowledged before the update was sent.
    expect(compare(history, [project('Drill 1'), project('p', '1')], { from: 2, to: 9 })).toEqual({
      ...right,
      torn: true,
    })
    expect(compare(history, whole, { from: 2, to: 5 })).toMatchObject({ torn: true })
  })
})

test.skipIf(cannotKeepFlushed())(
  'a power cut keeps flushed data, and the chosen parts of later writes',
  () => {
    const root = mkdtempSync(join(tmpdir(), 'flushed-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    const [folder, flushed] = ['data', 'flushed'].map((name) => join(root, name)) as [string, string]
    mkdirSync(folder)
    mkdirSync(flushed)
    const { env, cut } = watchFlushes(folder, flushed)
    const run = (script: string) => {
      const opened = `const fs = require('node:fs'); const file = fs.openSync('${folder}/file', 'a+'); fs.closeSync(file);`
      const inPlace = `${opened} const handle = fs.openSync('${folder}/file', 'r+'); ${script}`
      execFileSync(process.execPath, ['-e', inPlace], { env })
    }
    const left = (isKept: () => boolean) => cut(isKept).get('file')?.content.toString()
    const [none, every] = [() => false, () => true]

    run("fs.writeSync(handle, 'flushed', 0); fs.fsyncSync(handle)")
    // The name of the file is flushed after its content.
    expect([left(none), left(every)]).toEqual([undefined, 'flushed'])
    run(`fs.fsyncSync(fs.openSync('${folder}', 'r'))`)
    expect(left(none)).toBe('flushed')
    run("fs.writeSync(handle, 'F', 0); fs.writeSync(handle, '!'.repeat(600), 7)")
    expect([left(none), left(every)]).toEqual(['flushed', `Flushed${'!'.repeat(600)}`])
    // Keeps the new length and the second sector of 512 bytes, but not the first.
    const kept = [true, false, true]
    expect(left(() => kept.shift() === true)).toBe(`flushed${'\0'.repeat(505)}${'!'.repeat(95)}`)
    run('fs.ftruncateSync(handle, 3)')
    expect([left(none), left(every)]).toEqual(['flushed', 'Flu'])
    run('fs.fdatasyncSync(handle)')
    expect(left(none)).toBe('Flu')
  },
)
