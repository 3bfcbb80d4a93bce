import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, expect, test, vi } from 'vitest'
import { readResponse } from '../../../src/cli/mock/read-response.js'

const folder = mkdtempSync(join(tmpdir(), 'dashboard-api-'))
afterAll(() => rmSync(folder, { recursive: true }))
const fileWith = (content: string): string => {
  const file = join(folder, 'body.json')
  writeFileSync(file, content)
  return file
}

test('the body of a response is read from a JSON file, or from standard input', async () => {
  expect(await readResponse(fileWith(' {"a": null} '), { status: 201 })).toEqual({
    status: 201,
    body: { a: null },
  })
  const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from(['[', '1]']) as never)
  expect(await readResponse('-', { unchecked: true })).toEqual({ body: [1], unchecked: true })
  stdin.mockRestore()
})

test('a file that is not JSON is refused, or sent as it is if the response is unchecked', async () => {
  const file = fileWith('<h1>Bad gateway</h1>\n')
  await expect(readResponse(file, {})).rejects.toThrow(/body\.json is not JSON: .*</)
  expect(await readResponse(file, { unchecked: true })).toEqual({
    text: '<h1>Bad gateway</h1>\n',
    unchecked: true,
  })
  await expect(readResponse(join(folder, 'none'), {})).rejects.toThrow(
    /none cannot be read: there is no such file/,
  )
})
