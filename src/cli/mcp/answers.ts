import { fieldWords } from '../../mock/controls/control-fields.js'
import { NoMockError } from '../../mock/surfaces/control-client.js'

/** The characters of an answer that are sent at most. */
const maxAnswer = 20_000

/** The input of `read_more`. */
export const cutAnswer = fieldWords.strict({
  id: fieldWords.wholeNumber,
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

  /** Adds each fault of the files. What a tool has done stays true where they cannot be read. */
  const withFaults = async (texts: (string | undefined)[]): Promise<Answer> => {
    const all = [...texts, ...(await faults().catch(() => []))].filter((each) => each !== undefined)
    return { content: all.map(textOf) }
  }
  const failed = async (error: Error): Promise<Answer> => {
    const text = cut(explain(error))
    // No mock answers, so that none can tell of its files.
    const answer = error instanceof NoMockError ? { content: [textOf(text)] } : await withFaults([text])
    return { ...answer, isError: true }
  }

  return {
    /** Data as JSON, and what was done; an error as text that says what to do. */
    async answer(get: () => Promise<ToolResult>): Promise<Answer> {
      try {
        const { data, said } = await get()
        return withFaults([cut(typeof data === 'string' ? data : JSON.stringify(data, undefined, 1)), said])
      } catch (error) {
        return failed(error as Error)
      }
    },
    /** The next part of an answer that was cut. */
    async readMore(id: number): Promise<Answer> {
      const rest = rests.get(id)
      if (rest !== undefined) return withFaults([cut(rest)])
      return failed(
        new Error(
          `There is no cut answer ${id}: read_more takes the id at the end of one of the last ${maxCut}.`,
        ),
      )
    },
  }
}

const textOf = (text: string) => ({ type: 'text' as const, text })

/** An error with what to do next. */
const explain = (error: Error): string =>
  error instanceof NoMockError && error.found !== 'silence'
    ? `${error.message} Start a mock with "npx dashboard-api dev", Vite with its plugin, or this server with --start.`
    : error.message
