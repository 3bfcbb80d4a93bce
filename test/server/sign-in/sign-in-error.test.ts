import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
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

test('a provider that refuses too many requests is unreachable, with or without an error of the protocol', () => {
  const response = new Response(null, { status: 429 })
  const named = new ResponseBodyError('refused', { cause: { error: 'slow_down' }, response })
  const unnamed = new ClientError('something went wrong', { cause: response })
  expect(signInError(named)).toMatchObject({ fault: 'unreachable', reason: 'slow_down' })
  expect(signInError(unnamed)).toMatchObject({ fault: 'unreachable', reason: 'status 429' })
})

const claims = { sub: 'ada@id.example' }
const processingError = (message: string, code: string, cause: unknown) =>
  Object.assign(new Error(message, { cause }), { name: 'OperationProcessingError', code })

test.each<[string, unknown]>([
  ['OAUTH_X: aud', processingError('unexpected', 'OAUTH_X', { claims, claim: 'aud' })],
  ['OAUTH_X: issuer', processingError('unexpected', 'OAUTH_X', { body: claims, attribute: 'issuer' })],
  ['OAUTH_X: sub', processingError('JWT "sub" (subject) claim missing', 'OAUTH_X', { claims })],
  ['OAUTH_X: id_token', processingError('"response" body "id_token" property', 'OAUTH_X', claims)],
  ['OAUTH_X', processingError('unexpected', 'OAUTH_X', { claims, claim: 'ada@id.example' })],
  ['OAUTH_X', processingError('parsing error', 'OAUTH_X', new SyntaxError('"ada" is not valid JSON'))],
])('the reason is %s, without data of the provider', (reason, cause) => {
  const error = new ClientError('something went wrong', { cause })
  expect(signInError(error)).toMatchObject({ fault: 'unacceptable', reason })
})

test.each<[string, Lowercase<string>, Record<string, string>]>([
  ['invalid_client', 'basic', {}],
  ['invalid_request', 'basic', { error: 'invalid_request' }],
  ['invalid_token', 'bearer', { error: 'invalid_token', realm: 'ada@id.example' }],
  ['an error of its own', 'bearer', { error: 'ada@id.example' }],
  ['an unnamed challenge', 'bearer', {}],
])('the reason is %s for the challenge %s %j', (reason, scheme, parameters) => {
  const response = new Response(null, { status: 401 })
  const cause = [{ scheme, parameters }]
  const error = new WWWAuthenticateChallengeError('challenge', { cause, response })
  expect(signInError(error)).toMatchObject({ fault: 'unacceptable', reason })
})

test.each([
  ['a request that was aborted', 'unreachable', 'AbortError', new DOMException('', 'AbortError')],
  ['a request that took too long', 'unreachable', 'TimeoutError', new DOMException('', 'TimeoutError')],
  ['a response that has no code', 'unacceptable', 'not understood', undefined],
])('%s is %s', (_, fault, reason, cause) => {
  expect(signInError(new ClientError('something went wrong', { cause }))).toMatchObject({ fault, reason })
})

test('a fetch that fails without a code is a fault of the provider: it named a port that fetch refuses', async () => {
  const error = await fetch('http://127.0.0.1:1/').catch((failed) => failed)
  expect(signInError(error)).toMatchObject({ fault: 'unacceptable', reason: 'not understood' })
})

test.each([
  new TypeError('a fault of this service'),
  withCode('ERR_INVALID_ARG_TYPE'),
  withCode('ERR_INVALID_ARG_VALUE'),
  new SignInError('unfinished', 'it took too long'),
])('%s is not blamed on the provider', (error) => {
  expect(signInError(error)).toBe(error)
})
