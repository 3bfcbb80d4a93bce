type Result = { status: number; body: unknown }

/** Calls every operation of a generated client, with a success and an error for each. */
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
    /** The values that were read from the bodies through the generated types. */
    typed: object
  }
>

/** `true` if two types are the same. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
