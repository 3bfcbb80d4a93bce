import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'
import { expect, test } from 'vitest'
import { SignInError, type SignInFault, signInError } from '../../../src/server/sign-in/sign-in-error.js'

const withCode = (code: string) => Object.assign(new TypeError('failed'), { code })

test.each<[string, SignInFault]>([
  ['ECONNREFUSED', 'unreachable'],
  ['EAI_AGAIN', 'unreachable'],
  ['UND_ERR_SOCKET', 'unreachable'],
  ['ERR_JWKS_TIMEOUT', 'unreachable'],
  ['CERT_HAS_EXPIRED', 'unacceptable'],
  ['ERR_JWT_EXPIRED', 'unacceptable'],
])('a request that failed with %s is %s', (code, fault) => {
  const error = new ClientError('something went wrong', { cause: withCode(code) })
  expect(signInError(error)).toMatchObject({ fault, reason: code })
})

test.each<[string, SignInFault, string]>([
  ['server_error', 'unreachable', 'server_error'],
  ['temporarily_unavailable', 'unreachable', 'temporarily_unavailable'],
  ['access_denied', 'unfinished', 'access_denied'],
  ['ada@id.example', 'unfinished', 'an error of its own'],
])('a redirect back with the error %s is %s', (code, fault, reason) => {
  const error = new AuthorizationResponseError('refused', { cause: new URLSearchParams({ error: code }) })
  expect(signInError(error)).toMatchObject({ fault, reason })
})

test.each<[string, SignInFault]>([
  ['invalid_grant', 'unfinished'],
  ['invalid_client', 'unacceptable'],
])('a response of the token endpoint with the error %s is %s', (code, fault) => {
  const response = new Response(null, { status: 400 })
  const error = new ResponseBodyError('refused', { cause: { error: code }, response })
  expect(signInError(error)).toMatchObject({ fault, reason: code })
})

test.each([
  ['a request that was aborted', 'unreachable', 'AbortError', new DOMException('', 'AbortError')],
  ['a request that took too long', 'unreachable', 'TimeoutError', new DOMException('', 'TimeoutError')],
  ['a response that has no code', 'unacceptable', 'not understood', undefined],
])('%s is %s', (_, fault, reason, cause) => {
  expect(signInError(new ClientError('something went wrong', { cause }))).toMatchObject({ fault, reason })
})

test.each([
  new TypeError('a fault of this service'),
  withCode('ERR_INVALID_ARG_TYPE'),
  withCode('ERR_INVALID_ARG_VALUE'),
  new SignInError('unfinished', 'it took too long'),
])('%s is not blamed on the provider', (error) => {
  expect(signInError(error)).toBe(error)
})
