import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp } from '../server-harness.js'

describe('forged cookies', () => {
  const { app, signIn } = createTestApp()
  let values: string[]
  beforeAll(async () => {
    const grants = [{}, { userId: 'user-gus', orgCode: 'org_globex' }, { orgCode: undefined }]
    values = await Promise.all(grants.map(async (grant) => (await signIn(grant)).value))
    for (const value of values) expect(await statusOf(`session=${value}`)).toBe(200)
  })
  afterAll(() => app.close())
  const statusOf = async (cookie: string) =>
    (await app.inject({ url: '/v1/projects', headers: { cookie } })).statusCode

  const anyChar = fc.constantFrom(...'abcXYZ019-_+/=. %"\\'.split(''))
  const place = fc.nat({ max: 400 })
  const other = fc.nat({ max: 2 })
  type Change = (value: string) => string
  const partsOf = (value: string) => {
    const [purpose = '', claims = '', ...signature] = value.split('.')
    return { purpose, claims, signature: signature.join('.') }
  }
  const rewritten = (value: string, claims: object): string => {
    const { purpose, claims: known, signature } = partsOf(value)
    const changed = { ...JSON.parse(Buffer.from(known, 'base64url').toString()), ...claims }
    return `${purpose}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`
  }
  const change: fc.Arbitrary<Change> = fc.oneof(
    fc.tuple(place, anyChar).map(
      ([at, char]) =>
        (value: string) =>
          value.slice(0, at) + char + value.slice(at + 1),
    ),
    fc.tuple(place, anyChar).map(
      ([at, char]) =>
        (value: string) =>
          value.slice(0, at) + char + value.slice(at),
    ),
    fc.tuple(place, place).map(
      ([a, b]) =>
        (value: string) =>
          value.slice(0, a) + value.slice(a + b),
    ),
    place.map((at) => (value: string) => {
      const char = value.charAt(at)
      const flipped = char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()
      return value.slice(0, at) + flipped + value.slice(at + 1)
    }),
    // The claims of one cookie with the signature of another.
    other.map((i) => (value: string) => {
      const { purpose, claims } = partsOf(value)
      return `${purpose}.${claims}.${partsOf(values[i] as string).signature}`
    }),
    fc
      .record(
        {
          orgCode: fc.constantFrom('org_globex', 'org_acme', 'org_initech', ''),
          expiresAt: fc.constantFrom('2099-01-01T00:00:00.000Z', '2000-01-01T00:00:00.000Z'),
          sessionId: fc.constantFrom('acme-owner', 'active', 'ses_x'),
        },
        { requiredKeys: [] },
      )
      .map((claims) => (value: string) => rewritten(value, claims)),
    fc.constantFrom<Change[]>(
      (value) => value.replace('session.', ''),
      (value) => value.replace('session.', 'sign-in.'),
      (value) => value.replace('session.', 'SESSION.'),
      (value) => `${value}=`,
      (value) => `${value}.${partsOf(value).signature}`,
      (value) => partsOf(value).claims,
      (value) => `${partsOf(value).purpose}.${partsOf(value).claims}.`,
      (value) => value.split('').reverse().join(''),
      (value) => `${value}%00`,
      (value) => `j:${value}`,
      (value) => `s:${value}`,
    ),
  )

  it('are refused, all of thousands', async () => {
    let tried = 0
    await fc.assert(
      fc.asyncProperty(other, fc.array(change, { minLength: 1, maxLength: 3 }), async (i, changes) => {
        const value = values[i] as string
        const forged = changes.reduce((text, apply) => safely(() => apply(text), text), value)
        if (isStill(forged, values)) return
        tried += 1
        expect(await statusOf(`session=${forged}`)).toBe(401)
      }),
      { numRuns: 2_000 },
    )
    expect(tried).toBeGreaterThan(1_500)
  })

  it('are refused when they are large, or many', async () => {
    const [value = ''] = values
    for (const cookie of [
      `session=${'A'.repeat(15_000)}`,
      `session=session.${'A'.repeat(12_000)}.${'B'.repeat(43)}`,
      `session=${'.'.repeat(15_000)}`,
      `session=${'%41'.repeat(5_000)}`,
      `${'a=b; '.repeat(3_000)}session=${value}x`,
      `${`session=${value}; `.repeat(40)}`,
      `session=session.${Buffer.from(`{"a":${'['.repeat(9_000)}`).toString('base64url')}.x`,
    ]) {
      expect(await statusOf(cookie)).toBe(401)
    }
  })
})

/** Some changes need a text that an earlier change has made invalid. */
function safely(change: () => string, otherwise: string): string {
  try {
    return change()
  } catch {
    return otherwise
  }
}

/** Whether a server reads the same value: percent-encoding, quotes and surrounding spaces are not part of it. */
function isStill(forged: string, values: string[]): boolean {
  const read = safely(
    () =>
      decodeURIComponent(
        forged
          .split(';')[0]
          ?.trim()
          .replace(/^"(.*)"$/, '$1') ?? '',
      ),
    forged,
  )
  return values.includes(read)
}
