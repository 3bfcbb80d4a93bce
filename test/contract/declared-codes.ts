import type { Result } from '../../src/client/client.js'
import type { OperationName } from '../../src/contract/operations.js'
import { fail, type Handler } from '../../src/handlers/handler.js'

// The test is to compile this file: tsc reports a @ts-expect-error directive without an error.

export const declared: Handler<'createProject'> = async () => fail('PROJECT_NAME_TAKEN')

// @ts-expect-error createProject does not declare this code.
export const undeclared: Handler<'createProject'> = async () => fail('PROJECT_NOT_FOUND')

// @ts-expect-error listProjects has no body to validate.
export const withoutBody: Handler<'listProjects'> = async () => fail('VALIDATION_FAILED')

// @ts-expect-error Handlers do not return operational codes.
export const operational: Handler<'getSession'> = async () => fail('NOT_FOUND')

// @ts-expect-error A project has six fields.
export const incomplete: Handler<'createProject'> = async () => ({ project: { id: '1', name: 'x' } })

type ClientCode<Name extends OperationName> = Exclude<Result<Name>, { ok: true }>['code']

export const ofChange: ClientCode<'createProject'> = 'CROSS_SITE_REFUSED'

// @ts-expect-error Only changes by pages of other sites are refused.
export const ofRead: ClientCode<'listProjects'> = 'CROSS_SITE_REFUSED'

// @ts-expect-error The path of an operation is known.
export const ofNoPath: ClientCode<'createProject'> = 'NOT_FOUND'

// @ts-expect-error The path must have its method.
export const ofNoMethod: ClientCode<'getSession'> = 'METHOD_NOT_ALLOWED'
