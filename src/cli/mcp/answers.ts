import * as z from 'zod'
import { fieldWords } from '../../mock/controls/control-fields.js'
import { NoMockError } from '../../mock/surfaces/control-client.js'

/** The characters of an answer that are sent at most. */
const maxAnswer = 20_000

/** The input of `read_more`. */
export const cutAnswer = fieldWords.strict({
  id: z.int().min(1),
})

/** How many cut answers can be read on. */
const maxCut = 20

type Answer = { content: { type: 'text'; text: string }[]; isError?: true }

/** The result of a tool: its data, and what it has done in a sentence. */
export type ToolResult = { data: unknown; said?: string }

/** Makes the answers of tools. Long ones are cut, and their rest is stored. @param faults of the files of the mock */
export function createAnswers(faults: () => Promise<string[]>) {
  const rests = new Map<number, string>()
  let lastId = 0

  const cut = (text: string): string => {
    if (text.length <= maxAnswer) return text
    lastId += 1
    rests.set(lastId, text.slice(maxAnswer))
    rests.delete(lastId - maxCut)
    const left = text.length - maxAnswer
    return `${text.slice(0, maxAnswer)}\n… ${left} more characters. Read on with read_more and id: ${lastId}.`
  }

  return {
    /** Data as JSON, what was done, and each fault of the files; an error as text that says what to do. */
    async answer(get: () => Promise<ToolResult>): Promise<Answer> {
      try {
        const { data, said } = await get()
        const text = cut(typeof data === 'string' ? data : JSON.stringify(data, undefined, 1))
        const all = [text, said, ...(await faults())].filter((each) => each !== undefined)
        return { content: all.map((each) => ({ type: 'text', text: each })) }
      } catch (error) {
        return { content: [{ type: 'text', text: cut(explain(error as Error)) }], isError: true }
      }
    },
    /** The next part of an answer that was cut. */
    readMore(id: number): Answer {
      const rest = rests.get(id)
      if (rest !== undefined) return { content: [{ type: 'text', text: cut(rest) }] }
      const text = `There is no cut answer ${id}: read_more takes the id at the end of one of the last ${maxCut}.`
      return { content: [{ type: 'text', text }], isError: true }
    },
  }
}

/** An error with what to do next. */
const explain = (error: Error): string =>
  error instanceof NoMockError && !error.isTimeout
    ? `${error.message} Start a mock with "npx dashboard-api dev", Vite with its plugin, or this server with --start.`
    : error.message
