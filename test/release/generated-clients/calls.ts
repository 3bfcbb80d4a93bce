type Result = { status: number; body: unknown }

/** Calls every operation with a generated client, with a success and an error of each. */
export type Calls = (
  baseUrl: string,
  cookieOf: (persona: 'acme-owner' | 'no-organization') => string,
) => Promise<
  Record<
    | 'created'
    | 'mistyped'
    | 'taken'
    | 'invalid'
    | 'notOnboarded'
    | 'updated'
    | 'unknown'
    | 'listed'
    | 'session'
    | 'anonymous'
    | 'joined'
    | 'blank',
    Result
  > & {
    /** What was read from the bodies by way of the generated types. */
    typed: object
  }
>

/** `true` if two types are the same. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
