import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compare } from '../../../bench/drills/compare.js'
import { compileRecorder, createDisk, noRecorder, parseRecord } from '../../../bench/drills/replay.js'

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

  test('what was not acknowledged may be there or not', () => {
    expect(compare(history, whole)).toEqual(right)
    expect(compare(history, [...whole, project('Drill 3')])).toEqual(right)
  })

  test('acknowledged writes that are missing are lost', () => {
    expect(compare(history, whole.slice(1))).toMatchObject({ lost: 1, torn: true })
    expect(compare(history, [project('Drill 1'), project('Drill 2'), project('p', '0')])).toEqual({
      ...right,
      lost: 1,
    })
  })

  test('what is there twice, or was sent by nobody, is told', () => {
    expect(compare(history, [...whole, project('Drill 1'), project('Drill 9')])).toEqual({
      ...right,
      doubled: 1,
      foreign: 1,
    })
  })

  test('a copy is of one moment between two times', () => {
    // Before the second creation was acknowledged, and the update sent.
    expect(compare(history, [project('Drill 1')], { from: 2, to: 5 })).toEqual(right)
    expect(compare(history, [], { from: 2, to: 5 })).toEqual({ ...right, lost: 1 })
    // It has a write that was sent after another was acknowledged, and not that one.
    expect(compare(history, [project('Drill 1'), project('p', '1')], { from: 2, to: 9 })).toEqual({
      ...right,
      torn: true,
    })
    expect(compare(history, whole, { from: 2, to: 5 })).toMatchObject({ torn: true })
  })
})

test.skipIf(noRecorder())('a power cut keeps what was flushed, and of the rest what it is told to', () => {
  const folder = mkdtempSync(join(tmpdir(), 'record-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const script = `
    const fs = require('node:fs')
    const file = fs.openSync('${folder}/data/file', 'w+')
    fs.writeSync(file, 'flushed', 0)
    fs.fsyncSync(file)
    fs.writeSync(file, 'F', 0)
    fs.writeSync(file, '!'.repeat(600), 7)
    const folder = fs.openSync('${folder}/data', 'r')
    fs.fsyncSync(folder)
    fs.ftruncateSync(file, 3)
    fs.writeFileSync('${folder}/elsewhere', 'not recorded')`
  execFileSync('mkdir', [join(folder, 'data')])
  execFileSync(process.execPath, ['-e', script], {
    env: {
      LD_PRELOAD: compileRecorder(folder),
      RECORD_FOLDER: join(folder, 'data'),
      RECORD_LOG: join(folder, 'record'),
    },
  })
  const entries = parseRecord(readFileSync(join(folder, 'record')))
  const cutAfter = (count: number, isKept: () => boolean) => {
    const disk = createDisk(new Map())
    for (const entry of entries.slice(0, count)) disk.next(entry)
    return disk.cut(isKept).get('file')?.toString()
  }
  const all = entries.length
  const flushed = entries.findIndex(({ kind }) => kind === 'flush ended') + 1
  const [none, every] = [() => false, () => true]
  expect(cutAfter(all, none)).toBe('flushed')
  expect(cutAfter(all, every)).toBe('Flu')
  expect(cutAfter(all - 1, every)).toBe(`Flushed${'!'.repeat(600)}`)
  // The name of the file was flushed after its content.
  expect(cutAfter(flushed, none)).toBeUndefined()
  expect(cutAfter(flushed, every)).toBe('flushed')
  expect(cutAfter(flushed - 1, every)).toBe('flushed')
  // Of the 600 bytes one sector of 512 is kept, after the change of the first letter is dropped.
  let parts = 0
  expect(cutAfter(all - 1, () => ++parts === 2)).toBe(`flushed${'!'.repeat(505)}`)
})
