import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonElements } from '../../../src/cli/production/json-elements.js'

async function* chunksOf(text: string, size: number) {
  for (let start = 0; start < text.length; start += size) yield text.slice(start, start + size)
}

const elementsOf = async (text: string, size = text.length) => {
  const elements: string[] = []
  for await (const element of jsonElements(chunksOf(text, size))) elements.push(element)
  return elements
}

test('the elements of any array are found, wherever the text is cut', async () => {
  const array = fc.array(fc.jsonValue())
  await fc.assert(
    fc.asyncProperty(
      array,
      fc.nat({ max: 2 }),
      fc.integer({ min: 1, max: 20 }),
      async (value, indent, size) => {
        const elements = await elementsOf(`\uFEFF ${JSON.stringify(value, null, indent)}\n`, size)
        expect(elements.map((element) => JSON.parse(element))).toEqual(JSON.parse(JSON.stringify(value)))
      },
    ),
  )
})

test('elements that are not valid are elements too', async () => {
  expect(await elementsOf('["a", b, ]')).toEqual(['"a"', ' b', ' '])
  expect(await elementsOf('[ \n]')).toEqual([])
})

test.each(['', ' ', '{"a":[]}', '"a"', '[1', '["]', '[1] 2', '[1][2]', '[}', '1, [2]'])(
  '%j is not an array',
  async (text) => {
    await expect(elementsOf(text)).rejects.toThrow('The JSON is not an array.')
  },
)
