// The used part of the Fetch API, so that the client's types need no DOM library.

/** The platform's AbortSignal, if its types are loaded. */
export type CancelSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : { readonly aborted: boolean }

export type FetchInit = {
  method: string
  credentials: 'include' | 'omit' | 'same-origin'
  headers: Record<string, string>
  body?: string
  signal?: CancelSignal
}

export type FetchResponse = {
  readonly ok: boolean
  readonly status: number
  readonly headers: { get(name: string): string | null }
  json(): Promise<unknown>
}

/** A function like the global `fetch`. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>
