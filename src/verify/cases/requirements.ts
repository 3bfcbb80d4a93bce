/** The points that the cases check: sections of the interface, and decisions where the interface is silent. */
export const requirements = [
  // The interface
  '2.1 a project has exactly six fields',
  '2.2 the session bundle',
  '2.3 a waitlist address is trimmed and lower-cased',
  '2.4 the error body',
  '2.5 the validation error body',
  '4 bodies are application/json',
  '4.1 create a project',
  '4.1 rule 1: names are unique in a team without regard to case',
  '4.1 rule 2: two concurrent creations may both succeed',
  '4.2 list projects, newest first',
  '4.3 update a project',
  '4.4 the session bundle',
  '4.5 join the waitlist',
  '5 the session cookie',
  '5.4 the mock branch is marked',
  '8 names have at least one character and no maximum',
  '9 paths carry /v1/',
  // Callers
  'callers: no valid session',
  'callers: no organisation',
  'callers: no team',
  'callers: no permission',
  'callers: order of the checks',
  'callers: other sites',
  // Bodies
  'bodies: unknown properties are refused',
  'bodies: nothing is coerced',
  'bodies: details are null where there is no object',
  'bodies: content type and size',
  'bodies: U+0000 and lone surrogates are refused',
  'bodies: names are stored as sent',
  'bodies: names are compared by their keys',
  'bodies: PATCH accepts any combination',
  'bodies: status is a free string',
  'bodies: unknown and foreign ids get the same response',
  'bodies: a blank id is an empty filter',
  // Responses
  'responses: ids and times',
  'responses: bundle and list agree',
  'responses: waitlist',
  'responses: docsUrl opens a page about the code',
  'responses: unknown paths and methods',
  'responses: exact paths',
  'responses: query parameters and headers are ignored',
  // Modes
  'modes: only the mock sets devMode and role',
  'modes: sign-in and sign-out',
  'modes: cookies',
] as const

export type Requirement = (typeof requirements)[number]
