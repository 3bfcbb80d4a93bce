import { withJson, withRequestJson } from '../broken-server-proxy.js'
import { fieldsOf, type Misbehaviour, text, typeOf } from '../misbehaviours/misbehaviour.js'
import { isSignUp, none, refuseAddress, reply } from './replies.js'
import {
  both,
  editing,
  field,
  mutant,
  query,
  sends,
  stateful,
  type When,
  withHeader,
} from './request-mutant.js'

// What validators of addresses, and stores of them, do with sign-ups.

const address = (request: Parameters<When>[0]) => field(request, 'email')
const refuses = (name: string, pattern: RegExp) =>
  mutant(
    `an address ${name} is refused`,
    (request) => isSignUp(request) && pattern.test(address(request)),
    refuseAddress,
  )
const accepts = (name: string, pattern: RegExp) =>
  mutant(
    `an address ${name} is accepted`,
    (request) => isSignUp(request) && pattern.test(address(request)),
    reply(200, { status: 'ok' }),
  )

export const addresses: Misbehaviour[] = [
  refuses('with a plus', /\+/),
  refuses('with an apostrophe', /'/),
  refuses('with a slash', /\//),
  refuses('with an underscore in its domain', /@.*_/),
  refuses('without a dot in its domain', /^[^@]+@[^.@]+$/),
  refuses('with two dots in a row', /\.\./),
  refuses('with a dot at its start', /^\s*\./),
  refuses('with a dot before the at sign', /\.@/),
  refuses('with a dot at its end', /\.\s*$/),
  refuses('with a hyphen at the start of its domain', /@-/),
  refuses('with a long top-level domain', /\.[a-z]{7,}\s*$/i),
  {
    ...refuses('with a top-level domain of one letter', /\.[a-z]\s*$/i),
    notCaught: 'A run signs up no address that somebody could have.',
  },
  {
    ...refuses('with digits as its top-level domain', /\.\d+\s*$/),
    notCaught: 'A run signs up no address that somebody could have.',
  },
  refuses('with an IP address in brackets', /@\[/),
  refuses('with a local part of more than 64 characters', /^\s*[^@]{65}/),
  refuses('with a label of more than 63 characters', /@.*[^.@]{64}/),
  refuses('with letters of other languages in its domain', /@.*[^\0-\x7f]/),
  refuses('with letters of other languages in its local part', /[^\0-\x7f].*@/),
  refuses('with an emoji', /[\u{10000}-\u{10ffff}]/u),
  refuses('with quotes', /"/),
  refuses('with a comma', /,/),
  refuses('with a colon or semicolon', /[:;]/),
  refuses('with angle brackets', /[<>]/),
  refuses('with brackets or parentheses', /[()[\]]/),
  refuses('with a backslash', /\\/),
  refuses('with a percent sign', /%/),
  refuses('with an equals sign', /=/),
  refuses('with a star, hash or exclamation mark', /[*#!]/),
  refuses('with a tilde, caret, braces or a pipe', /[~^{}|`]/),
  refuses('with an ampersand', /&/),
  refuses('with a question mark', /\?/),
  refuses('with a character of no width', /[\u200b-\u200d\u2060\u00ad]/),
  {
    ...refuses('of one letter on each side', /^\s*.@.\s*$/),
    notCaught: 'A run signs up no address that somebody could have.',
  },
  {
    ...refuses('of a provider of throw-away addresses', /mailinator|guerrilla|yopmail|tempmail/i),
    notCaught: 'A run signs up no address that somebody could have.',
  },
  refuses('of example.com', /@example\.(com|org|net)/i),
  refuses('of a test domain', /\.(test|invalid|localhost|example)\s*$/i),
  refuses('in punycode', /xn--/i),
  refuses('of more than 100 characters', /^.{101}/),
  refuses('of more than 191 characters', /^.{192}/),
  refuses('in capitals', /[A-Z]/),
  refuses(
    'with white space around it that is not ASCII',
    /^[\u00a0\u2000-\u200a\u3000\ufeff\u2028\u1680]|[\u00a0\u2000-\u200a\u3000\ufeff\u2028\u1680]$/,
  ),
  refuses('with tabs or line breaks around it', /^[\t\r\n\v\f]|[\t\r\n\v\f]$/),
  mutant(
    'an address of more than 254 UTF-16 units is refused',
    (request) =>
      isSignUp(request) && address(request).trim().length > 254 && [...address(request).trim()].length <= 254,
    refuseAddress,
  ),
  mutant(
    'an address of more than 254 bytes is refused',
    (request) =>
      isSignUp(request) &&
      new TextEncoder().encode(address(request).trim()).length > 254 &&
      [...address(request).trim()].length <= 254,
    refuseAddress,
  ),
  mutant(
    'the length of an address is checked before it is trimmed',
    (request) => isSignUp(request) && address(request).length > 254 && address(request).trim().length <= 254,
    refuseAddress,
  ),
  accepts('of 255 characters', /^\S{255}$/),
  accepts('with two at signs', /^[^@]+@[^@]+@[^@]+$/),
  accepts('with a blank in its local part', /^\S+ \S*@\S+$/),
  accepts('with a blank in its domain', /^\S+@\S* \S+$/),
  accepts('with white space inside that is not ASCII', /\S[\u00a0\u2003\u3000\u2028\u1680\ufeff]\S/),
  accepts('with a line break inside', /\S[\r\n]\S/),
  accepts('with a control character', /(?![\t\n\v\f\r\u007f-\u009f])\p{Cc}/u),
  accepts('with a control character after ASCII', /[\u007f-\u0084\u0086-\u009f]/),
  accepts('with U+0085', /\u0085/),
  accepts('with U+0000', /\0/),
  accepts('with a name before it', /^.+ <.+@.+>$/),
  accepts('without anything before the at sign', /^@/),
  accepts('without anything after the at sign', /@$/),
  mutant(
    'an address with a lone surrogate is accepted',
    (request) => isSignUp(request) && !address(request).isWellFormed(),
    reply(200, { status: 'ok' }),
  ),
  mutant(
    'an address in an array is accepted',
    (request) => isSignUp(request) && Array.isArray(fieldsOf(request).email),
    reply(200, { status: 'ok' }),
  ),
  mutant(
    'an empty address is 400',
    (request) => isSignUp(request) && fieldsOf(request).email === '',
    reply(400, { error: 'email_required' }),
  ),
  mutant(
    'an address of null is 400',
    (request) => isSignUp(request) && fieldsOf(request).email === null,
    reply(400, { error: 'email_required' }),
  ),
  mutant(
    'a sign-up without an address is 400',
    (request) => isSignUp(request) && text(request.body) === '{}' && !('email' in fieldsOf(request)),
    reply(400, { error: 'email_required' }),
  ),
  mutant(
    'an address that is a number is 500',
    (request) => isSignUp(request) && typeof fieldsOf(request).email === 'number',
    reply(500, { error: 'Internal error' }),
  ),
  mutant(
    'an address that is an object is 500',
    (request) =>
      isSignUp(request) && typeof fieldsOf(request).email === 'object' && fieldsOf(request).email !== null,
    reply(500, { error: 'Internal error' }),
  ),
  mutant(
    'a sign-up with an unknown property is 422',
    (request) =>
      isSignUp(request) && 'email' in fieldsOf(request) && Object.keys(fieldsOf(request)).length > 1,
    refuseAddress,
  ),
  mutant(
    'a sign-up by a honeypot is dropped with 204',
    (request) =>
      isSignUp(request) && Object.keys(fieldsOf(request)).some((key) => /website|url|phone|honey/i.test(key)),
    reply(204, {}),
  ),
  mutant(
    'the address Email is the address',
    (request) => isSignUp(request) && !('email' in fieldsOf(request)) && 'Email' in fieldsOf(request),
    (request, send) => send(withRequestJson(request, { email: fieldsOf(request).Email })),
  ),
  stateful('an address in other capitals is 409', isSignUp, () => {
    const known = new Map<string, string>()
    return async (request, send) => {
      const response = await send(request)
      if (!isSignUp(request) || response.status !== 200) return response
      const key = address(request).trim().toLowerCase()
      if (known.has(key) && known.get(key) !== address(request))
        return reply(409, { error: 'email_required' })(request, send, none)
      known.set(key, address(request))
      return response
    }
  }),
  stateful('a repeated address is answered in another way', isSignUp, () => {
    const known = new Set<string>()
    return async (request, send) => {
      const response = await send(request)
      if (!isSignUp(request) || response.status !== 200) return response
      const key = address(request).trim().toLowerCase()
      if (known.has(key)) return reply(200, { status: 'ok', existing: true })(request, send, none)
      known.add(key)
      return response
    }
  }),
  {
    ...mutant(
      'the address of a user is answered in another way',
      (request) => isSignUp(request) && /@(acme|globex|initech)\.example|nora@/i.test(address(request)),
      reply(409, { error: 'email_required' }),
    ),
    notCaught: 'A run signs up no address that somebody could have.',
  },
  {
    ...mutant('a sign-up sets a cookie', isSignUp, withHeader('set-cookie', 'waitlist=1; Path=/')),
    notCaught: 'Balancers set cookies of their own.',
  },
  mutant(
    'a sign-up by a member is 200 with their team',
    both(isSignUp, (request) => request.headers.some(([name]) => name.toLowerCase() === 'cookie')),
    reply(200, { status: 'ok', teamId: 'team-acme' }),
  ),
  mutant(
    'a sign-up with blanks of 300 characters is refused',
    (request) =>
      isSignUp(request) &&
      field(request, 'email').length > 300 &&
      field(request, 'email').trim().length <= 254,
    refuseAddress,
  ),
  mutant(
    'a sign-up of another type is 415',
    both(isSignUp, (request) => !/json/i.test(typeOf(request) ?? 'none')),
    reply(415, { error: 'email_required' }),
  ),
  mutant(
    'an empty sign-up is 422',
    both(isSignUp, (request) => (request.body?.length ?? 0) === 0),
    refuseAddress,
  ),
  mutant(
    'a sign-up with a charset is 400',
    both(isSignUp, sends('content-type', /charset/)),
    reply(400, { error: 'email_required' }),
  ),
  mutant(
    'a sign-up with a query is 404',
    both(isSignUp, (request) => query(request).size > 0),
    reply(404, { error: 'Not found' }),
  ),
  mutant(
    'a sign-up has the address in its response',
    isSignUp,
    editing((json) => ({ ...json, email: 'x' })),
  ),
  {
    ...mutant('a sign-up says how many there are', isSignUp, withHeader('x-position', '12')),
    notCaught: 'Services and proxies may add headers.',
  },
  mutant(
    'a sign-up with an escaped at sign is refused',
    both(isSignUp, (request) => /\\u0040/i.test(text(request.body))),
    refuseAddress,
  ),
  stateful('the sixth sign-up is 429 without Retry-After', isSignUp, () => {
    let n = 0
    return async (request, send) => {
      const r = await send(request)
      return isSignUp(request) && r.status === 200 && ++n > 5
        ? { ...withJson(r, { error: 'Too many' }), status: 429 }
        : r
    }
  }),
]
