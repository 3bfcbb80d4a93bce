/** A kind of failure: its status and message, when it occurs, and what the caller can do. */
export type ErrorEntry = { status: number; message: string; when: string; remedy: string }

/** The eight codes of section 7. */
export const interfaceErrors = {
  AUTH_REQUIRED: {
    status: 401,
    message: 'Sign in first: this operation needs the session cookie.',
    when: 'There is no session cookie, two are valid, or its session is unknown, forged, expired or revoked.',
    remedy: 'Sign in again at /auth/sign-in and send the session cookie with the request.',
  },
  ONBOARDING_REQUIRED: {
    status: 400,
    message: 'Finish onboarding first: you have no organisation yet.',
    when: 'The caller is signed in but has no organisation.',
    remedy: 'Create or join an organisation, then sign in again.',
  },
  TEAM_MEMBERSHIP_REQUIRED: {
    status: 403,
    message: 'Your organisation has no team here.',
    when: 'The organisation of the session does not resolve to a team.',
    remedy: 'Ask the operator to create a team for your organisation code.',
  },
  INSUFFICIENT_PERMISSIONS: {
    status: 403,
    message: 'You lack a permission that this operation needs.',
    when: 'The session lacks the permission that the operation requires, e.g. create:projects.',
    remedy: 'Ask an owner of your organisation for the permission, then sign in again.',
  },
  EMPTY_QUERY_FILTER: {
    status: 400,
    message: 'The id in the path is blank.',
    when: 'The id in the path is blank. No operation runs on an empty filter.',
    remedy: 'Put the id of a project in the path.',
  },
  VALIDATION_FAILED: {
    status: 422,
    message: 'The request body is not valid.',
    when: 'The body is not JSON, breaks a rule of its fields, has unknown properties, or is too large; or the team would exceed a limit.',
    remedy: 'Read details: formErrors are about the body as a whole, fieldErrors about each field.',
  },
  PROJECT_NOT_FOUND: {
    status: 404,
    message: 'Your team has no such project.',
    when: 'No project of the team has this id. A project of another team gets the same response.',
    remedy: 'List the projects of the team and use an id from the list.',
  },
  PROJECT_NAME_TAKEN: {
    status: 409,
    message: 'Your team already has a project with this name.',
    when: 'Another project of the team has the same name, compared without regard to case.',
    remedy: 'Choose another name.',
  },
} as const satisfies Record<string, ErrorEntry>

/** Operational failures, for which section 7 has no code. They have the same three fields. */
export const operationalErrors = {
  NOT_FOUND: {
    status: 404,
    message: 'There is nothing at this path.',
    when: 'The path is not part of the interface.',
    remedy: 'Check the path: every operation begins with /v1/.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This path does not take this method.',
    when: 'The path exists, but not for this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  CROSS_SITE_REFUSED: {
    status: 403,
    message: 'A page of another site may not do this.',
    when: 'A browser sent a change on behalf of a page of another site, whose origin is not allowed.',
    remedy: 'Send it from a page of the same origin, or ask the operator to allow the origin of the page.',
  },
  RATE_LIMITED: {
    status: 429,
    message: 'Too many requests.',
    when: 'The client, or its session, has sent more requests than a limit allows.',
    remedy: 'Wait for the seconds given in the Retry-After header.',
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'Something went wrong here.',
    when: 'The service has a bug or failed unexpectedly; its log has the details, the response has none.',
    remedy: 'Try again; if the error persists, tell the operator the time of the request.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'The service cannot answer right now.',
    when: 'The database cannot be reached or written, or the service is overloaded or shutting down.',
    remedy: 'Wait for the seconds given in the Retry-After header, then try again.',
  },
} as const satisfies Record<string, ErrorEntry>

/** The error catalogue: the codes of the interface and the operational codes. */
export const errors = { ...interfaceErrors, ...operationalErrors }

export type InterfaceErrorCode = keyof typeof interfaceErrors
export type OperationalErrorCode = keyof typeof operationalErrors
export type ErrorCode = InterfaceErrorCode | OperationalErrorCode

/** The path of the page about a code, e.g. `/docs/errors/project-not-found`. */
export const errorDocsPath = (code: ErrorCode): string =>
  `/docs/errors/${code.toLowerCase().replaceAll('_', '-')}`
