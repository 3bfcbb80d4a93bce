import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cookieSentOnce, cookieValues, onlyValid } from '../../src/contract/cookie.js'
import { emailPattern } from '../../src/contract/email.js'
import { errorDocsPath, errors, interfaceErrors, operationalErrors } from '../../src/contract/errors.js'
import { type Operation, operationNames, operations } from '../../src/contract/operations.js'
import { decodableUrl, errorFormAt, route } from '../../src/contract/route.js'
import { JoinWaitlistBody, SessionBundle } from '../../src/contract/schemas.js'
import { anyText } from '../any-text.js'

describe('the tables of errors and operations', () => {
  test('have the eight codes of section 7, and operational ones, each with its status', () => {
    const statuses = (table: Record<string, { status: number }>) =>
      Object.entries(table).map(([code, { status }]) => `${status} ${code}`)
    expect(statuses(interfaceErrors).sort()).toEqual([
      '400 EMPTY_QUERY_FILTER',
      '400 ONBOARDING_REQUIRED',
      '401 AUTH_REQUIRED',
      '403 INSUFFICIENT_PERMISSIONS',
      '403 TEAM_MEMBERSHIP_REQUIRED',
      '404 PROJECT_NOT_FOUND',
      '409 PROJECT_NAME_TAKEN',
      '422 VALIDATION_FAILED',
    ])
    expect(statuses(operationalErrors)).toEqual([
      '404 NOT_FOUND',
      '405 METHOD_NOT_ALLOWED',
      '403 CROSS_SITE_REFUSED',
      '429 RATE_LIMITED',
      '500 INTERNAL_ERROR',
      '503 SERVICE_UNAVAILABLE',
    ])
  })

  test('have a message, a condition, a remedy and a page for each code', () => {
    for (const entry of Object.values(errors)) {
      for (const text of [entry.message, entry.when, entry.remedy]) expect(text).toMatch(/^[A-Z].+\.$/)
    }
    expect(errorDocsPath('PROJECT_NAME_TAKEN')).toBe('/docs/errors/project-name-taken')
  })

  test('have the operations of section 4, each method and path once', () => {
    const endpoints = operationNames.map((name) => {
      const { section, method, path } = operations[name]
      return `${section} ${method} ${path}`
    })
    expect(endpoints).toEqual(
      expect.arrayContaining([
        '4.1 POST /v1/projects',
        '4.2 GET /v1/projects',
        '4.3 PATCH /v1/projects/{projectId}',
        '4.4 GET /v1/auth/me',
        '4.5 POST /v1/waitlist',
      ]),
    )
    expect(new Set(endpoints.map((endpoint) => endpoint.replace(/^\S+ /, ''))).size).toBe(endpoints.length)
  })

  test('declare exactly the codes that each operation can return', () => {
    for (const name of operationNames) {
      const operation: Operation = operations[name]
      const can = (code: Operation['errors'][number]) => operation.errors.includes(code)
      expect(can('AUTH_REQUIRED'), name).toBe(operation.access !== 'public')
      expect(can('ONBOARDING_REQUIRED'), name).toBe(operation.access === 'team')
      expect(can('TEAM_MEMBERSHIP_REQUIRED'), name).toBe(operation.access === 'team')
      expect(can('INSUFFICIENT_PERMISSIONS'), name).toBe(operation.permission !== undefined)
      expect(can('VALIDATION_FAILED'), name).toBe(
        operation.body !== undefined || operation.query !== undefined,
      )
      expect(can('EMPTY_QUERY_FILTER'), name).toBe(operation.path.includes('{'))
      expect(can('PROJECT_NOT_FOUND'), name).toBe(operation.path.includes('{'))
    }
  })

  test.each(operationNames)('describe %s, with its parameters and valid examples', (name) => {
    const { summary, description, path, params = {}, query, body, success }: Operation = operations[name]
    expect(summary).toMatch(/^[A-Z].+[^.]$/)
    expect(description).toMatch(/^[A-Z].+\.$/)
    expect(Object.keys(params)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param))
    for (const param of Object.values(params)) {
      expect(param.description).toMatch(/^[A-Z].+\.$/)
      expect(param.example).not.toBe('')
    }
    for (const part of [success, body]) {
      if (part?.schema) expect(part.schema.parse(part.example)).toEqual(part.example)
    }
    if (query) expect(query.schema.safeParse(query.example).error).toBeUndefined()
  })
})

describe('the routes', () => {
  test('lead to the operations, with decoded parameters', () => {
    expect(route('GET', '/v1/projects')).toEqual({ operation: 'listProjects', params: {} })
    expect(route('POST', '/v1/projects')).toEqual({ operation: 'createProject', params: {} })
    expect(route('PATCH', '/v1/projects/a%2Fb%20c')).toEqual({
      operation: 'updateProject',
      params: { projectId: 'a/b c' },
    })
    expect(route('PATCH', '/v1/projects/')).toEqual({ operation: 'updateProject', params: { projectId: '' } })
  })

  test('accept HEAD wherever they accept GET', () => {
    expect(route('HEAD', '/v1/auth/me')).toEqual({ operation: 'getSession', params: {} })
    expect(route('HEAD', '/v1/waitlist')).toEqual({ allow: ['POST'] })
  })

  test('list the methods of a path, and none for an unknown path', () => {
    expect(route('DELETE', '/v1/projects')).toEqual({ allow: ['POST', 'GET', 'HEAD'] })
    expect(route('TRACE', '/v1/projects/1').allow).toContain('PATCH')
    for (const path of ['', '/', '/v1', '/v1/projects/1/2', '/v1/Projects', '/v1/%E0%A4%A']) {
      expect(route('GET', path), path).toEqual({ allow: [] })
    }
  })

  test('use an undecodable id as it was sent', () => {
    for (const id of ['%zz', '%', '%E0%A4%A', '%41%ff', 'a;b=%2']) {
      const path = `/v1/projects/${id}`
      const expected = { operation: 'updateProject', params: { projectId: id } }
      expect(route('PATCH', path)).toEqual(expected)
      const url = decodableUrl(`${path}?a=%zz/%`)
      expect(url.slice(url.indexOf('?'))).toBe('?a=%zz/%')
      expect(() => decodeURI(url.split('?')[0] ?? '')).not.toThrow()
      expect(route('PATCH', url.split('?')[0] ?? '')).toEqual(expected)
    }
    expect(decodableUrl('http://a.example:1/v1/%70/a:b;c?%')).toBe('http://a.example:1/v1/%70/a:b;c?%')
  })

  test('have the error form of their operations', () => {
    for (const { path, errorForm } of Object.values(operations)) {
      expect(errorFormAt(path.replace('{projectId}', '%zz'))).toBe(errorForm)
    }
    expect(errorFormAt('/v1/%61uth/me')).toBe('short')
    for (const path of ['/v1/auth/me/', '/v1/auth', '/v1/Waitlist', '/', '']) {
      expect(errorFormAt(path)).toBe('full')
    }
  })

  test('accept any id, and never throw', () => {
    fc.assert(
      fc.property(anyText(), (id) => {
        const path = `/v1/projects/${encodeURIComponent(id)}`
        expect(route('PATCH', path)).toEqual({ operation: 'updateProject', params: { projectId: id } })
      }),
    )
    fc.assert(fc.property(fc.string(), fc.webPath(), (method, path) => void route(method, path)))
  })
})

describe('a cookie', () => {
  test('is found among other cookies, and decoded', () => {
    expect(cookieSentOnce('session=a')).toBe('a')
    expect(cookieSentOnce('x=1;session=a%20b; y=2')).toBe('a b')
    for (const blank of [' ', '\t', ' \t ']) {
      expect(cookieSentOnce(`x=1;${blank}session=a${blank};${blank}y=2`)).toBe('a')
    }
    // For a browser this is a cookie with another name, which any page of the site may set.
    expect(cookieSentOnce('\u00a0session=a')).toBeUndefined()
    expect(cookieSentOnce('session=a; \u00a0session=b')).toBe('a')
    expect(cookieSentOnce('session="a"')).toBe('"a"')
    expect(cookieSentOnce('session=a=b')).toBe('a=b')
    expect(cookieSentOnce('session=')).toBe('')
    // Leading white space is not part of a pair, inner white space is.
    expect(cookieSentOnce('session =a')).toBeUndefined()
    expect(cookieSentOnce('session=a; theme=dark', 'theme')).toBe('dark')
  })

  test.each([
    ['absent', undefined, []],
    ['absent', '', []],
    ['without a value', 'session', []],
    ['under other names', 'Session=a; sessions=a; my-session=a; x=session=a', []],
    ['malformed', 'session=%E0%A4%A; session=a', ['a']],
    ['sent twice', 'session=a; session=a', ['a', 'a']],
    ['sent three times', 'session=a; x=1; session=; session=b', ['a', '', 'b']],
  ])('that is %s has these values: %j', (_, header, values) => {
    expect(cookieValues(header)).toEqual(values)
    expect(cookieSentOnce(header)).toBe(values.length === 1 ? values[0] : undefined)
  })

  test('that was sent several times has the valid value, if there is only one', () => {
    const valid = (...values: string[]) => onlyValid(values, (value) => value.startsWith('valid'))
    expect(valid('x', 'valid')).toBe('valid')
    expect(valid('valid', '', 'x')).toBe('valid')
    for (const values of [[], ['x', 'y'], ['valid', 'valid'], ['valid 1', 'x', 'valid 2']]) {
      expect(valid(...values), values.join()).toBeUndefined()
    }
    // The caller checks the value.
    expect(valid('x')).toBe('x')
    expect(valid(...Array<string>(1000).fill('x'), 'valid')).toBeUndefined()
  })

  test('decodes to the value that was encoded, for any value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        expect(cookieSentOnce(`a=1; session=${encodeURIComponent(value)}; b=2`)).toBe(value)
      }),
    )
  })
})

test('a waitlist address is trimmed and lower-cased (section 4.5)', () => {
  const long = `${'a'.repeat(242)}@example.com`
  for (const email of ['ü@b.example', 'a=b@c.example', 'a/b@c.example', 'a@b-.example', '.@.', long]) {
    expect(JoinWaitlistBody.parse({ email: ` ${email}\n` })).toEqual({ email })
  }
  for (const email of [
    '@',
    'a@',
    '@b',
    'a@b@c',
    'a b@c',
    'a@b\u0085c',
    'a@b\u2028c',
    'a\u0000@b',
    `a${long}`,
  ]) {
    expect(JoinWaitlistBody.safeParse({ email }).success, email).toBe(false)
  }
  expect(JoinWaitlistBody.safeParse({ email: '\ud83d@b.example' }).success).toBe(false)
  for (const email of ['ada@example.com', ' Ada@Example.COM ', '\tADA@EXAMPLE.COM\r\n']) {
    expect(JoinWaitlistBody.parse({ email })).toEqual({ email: 'ada@example.com' })
  }
})

test('the pattern of an address in openapi.json matches the accepted addresses', () => {
  const pattern = new RegExp(emailPattern, 'u')
  const unit = fc.constantFrom(...'@@a.ü \t\n\u0000\u0085\u00a0\u2028\ufeffİ\u{1f34f}')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 8 }), (email) => {
      expect(pattern.test(email)).toBe(JoinWaitlistBody.safeParse({ email }).success)
    }),
    { numRuns: 2000 },
  )
})

test('a session bundle has devMode and role, or neither, and the role is not empty (section 2.2)', () => {
  const bundle = operations.getSession.success.example
  const accepts = (more: object) => SessionBundle.safeParse({ ...bundle, ...more }).success
  expect(accepts({})).toBe(true)
  expect(accepts({ devMode: true, role: 'owner' })).toBe(true)
  for (const more of [
    { devMode: true },
    { role: 'owner' },
    { devMode: true, role: '' },
    { devMode: false },
  ]) {
    expect(accepts(more), JSON.stringify(more)).toBe(false)
  }
})
