import { Signer } from '@fastify/cookie'
import { describe, expect, it } from 'vitest'
import { createSessionCookies, type SessionClaims } from '../../../src/server/sessions/session-cookie.js'
import { secret } from '../server-harness.js'

const other = 'another-secret-of-more-than-32-bytes-here'
const claims: SessionClaims = {
  sessionId: 'ses_1',
  orgCode: 'org_acme',
  issuedAt: '2026-03-01T12:00:00.000Z',
  expiresAt: '2026-03-02T00:00:00.000Z',
}

describe('the session cookie', () => {
  it('is verified, and returns the signed claims', () => {
    const { sign, verify } = createSessionCookies([secret])
    const { orgCode: _, ...withoutOrganization } = claims
    expect(verify(sign(claims))).toEqual(claims)
    expect(verify(sign(withoutOrganization))).toEqual(withoutOrganization)
    expect(verify(sign({ ...claims, orgCode: 'ürg; ünïcode' }))?.orgCode).toBe('ürg; ünïcode')
  })

  it('needs no escaping in a Cookie header', () => {
    const { sign } = createSessionCookies([secret])
    for (let i = 0; i < 100; i++) {
      expect(sign({ ...claims, sessionId: `ses_${i}` })).toMatch(/^session\.[\w-]+\.[A-Za-z0-9+/]+$/)
    }
  })

  it('is refused with any character changed, and at any other length', () => {
    const { sign, verify } = createSessionCookies([secret])
    const value = sign(claims)
    for (let i = 0; i < value.length; i++) {
      const changed = value.slice(0, i) + (value[i] === 'A' ? 'B' : 'A') + value.slice(i + 1)
      expect(verify(changed)).toBeUndefined()
      expect(verify(value.slice(0, i))).toBeUndefined()
      expect(verify(value.slice(i + 1))).toBeUndefined()
    }
    expect(verify(`${value}=`)).toBeUndefined()
    expect(verify(`${value} `)).toBeUndefined()
  })

  it('is refused if the same secret signed it for another purpose', () => {
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
    const { verify } = createSessionCookies([secret])
    const signer = new Signer([secret])
    expect(verify(signer.sign(`session.${payload}`))).toEqual(claims)
    expect(verify(signer.sign(`sign-in.${payload}`))).toBeUndefined()
    expect(verify(signer.sign(payload))).toBeUndefined()
  })

  it('is refused if the signed value has the wrong form', () => {
    const { verify } = createSessionCookies([secret])
    const signed = (text: string) =>
      verify(new Signer([secret]).sign(`session.${Buffer.from(text).toString('base64url')}`))
    expect(signed(JSON.stringify(claims))).toEqual(claims)
    expect(signed('{')).toBeUndefined()
    expect(signed('null')).toBeUndefined()
    expect(signed(JSON.stringify({ ...claims, admin: true }))).toBeUndefined()
    expect(signed(JSON.stringify({ ...claims, expiresAt: 'never' }))).toBeUndefined()
    expect(signed(JSON.stringify({ ...claims, sessionId: 7 }))).toBeUndefined()
  })

  it('is valid until its secret is removed', () => {
    const value = createSessionCookies([secret]).sign(claims)
    expect(createSessionCookies([other, secret]).verify(value)).toEqual(claims)
    expect(createSessionCookies([other]).verify(value)).toBeUndefined()
  })

  it('is signed with the first secret', () => {
    const value = createSessionCookies([other, secret]).sign(claims)
    expect(createSessionCookies([other]).verify(value)).toEqual(claims)
    expect(createSessionCookies([secret]).verify(value)).toBeUndefined()
  })

  it('is accepted by every node while the nodes get the next list of secrets in turn', () => {
    const verifies = (signing: string[], verifying: string[]) =>
      createSessionCookies(verifying).verify(createSessionCookies(signing).sign(claims)) !== undefined
    const steps = [[other], [other, secret], [secret, other]]
    for (const [i, next] of steps.slice(1).entries()) {
      const before = steps[i] ?? []
      expect([verifies(before, next), verifies(next, before)]).toEqual([true, true])
    }
    // Without the first step, a node that was not restarted yet refuses cookies of a restarted one.
    expect(verifies([secret, other], [other])).toBe(false)
  })
})
