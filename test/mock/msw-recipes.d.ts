import type { AnyHandler } from 'msw'

type Call = (path: string, init?: RequestInit) => Promise<Response>

export type Recipe = {
  handlers: AnyHandler[]
  play(call: Call): Promise<unknown>
  result: unknown
  /** Why it is not so in a page or in Node, whatever the mock does. */
  notByMsw?: string
  /** Where the mock is the server behind the handlers. */
  playServed?(call: Call): Promise<unknown>
  served?: unknown
}

export const recipes: Record<string, Recipe>
export const handlers: AnyHandler[]
