import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { replaceFile } from '../../src/store/replace-file.js'

describe('replaceFile', () => {
  function emptyFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'replace-file-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    return folder
  }

  function* failingAfter(text: string) {
    yield text
    throw new Error('disk failed')
  }

  test('leaves the old file unchanged after a failure, and no temporary file', async () => {
    const folder = emptyFolder()
    writeFileSync(`${folder}/list.csv`, 'old')
    await expect(replaceFile(`${folder}/list.csv`, failingAfter('half'))).rejects.toThrow('disk failed')
    expect(readFileSync(`${folder}/list.csv`, 'utf8')).toBe('old')
    expect(readdirSync(folder)).toEqual(['list.csv'])
  })

  test('leaves no file after a failure if there was none', async () => {
    const folder = emptyFolder()
    await expect(replaceFile(`${folder}/list.csv`, failingAfter('half'))).rejects.toThrow('disk failed')
    expect(readdirSync(folder)).toEqual([])
  })

  test('makes a new file readable by its owner only, and keeps the mode of an old one', async () => {
    const folder = emptyFolder()
    await replaceFile(`${folder}/new.csv`, ['new'])
    expect(statSync(`${folder}/new.csv`).mode & 0o777).toBe(0o600)
    writeFileSync(`${folder}/old.csv`, 'old')
    chmodSync(`${folder}/old.csv`, 0o640)
    await replaceFile(`${folder}/old.csv`, ['new', 'er'])
    expect(statSync(`${folder}/old.csv`).mode & 0o777).toBe(0o640)
    expect(readFileSync(`${folder}/old.csv`, 'utf8')).toBe('newer')
  })

  test('writes through a symbolic link to its target', async () => {
    const folder = emptyFolder()
    writeFileSync(`${folder}/target.csv`, 'old')
    symlinkSync(`${folder}/target.csv`, `${folder}/link.csv`)
    await replaceFile(`${folder}/link.csv`, ['new'])
    expect(readFileSync(`${folder}/target.csv`, 'utf8')).toBe('new')
    expect(readdirSync(folder).sort()).toEqual(['link.csv', 'target.csv'])
  })

  test('refuses a folder, and leaves it as it is', async () => {
    const folder = emptyFolder()
    mkdirSync(`${folder}/list.csv`)
    await expect(replaceFile(`${folder}/list.csv`, ['new'])).rejects.toMatchObject({
      code: 'EISDIR',
      message: expect.stringContaining('list.csv is not a file'),
    })
    expect(readdirSync(folder)).toEqual(['list.csv'])
  })

  test('fails where the folder does not exist', async () => {
    await expect(replaceFile(`${emptyFolder()}/none/list.csv`, ['new'])).rejects.toMatchObject({
      code: 'ENOENT',
      syscall: 'open',
    })
  })
})
