import { fail, type Handler } from '../../src/handlers/handler.js'

// Compiling this file is the test: tsc reports a @ts-expect-error directive without an error.

export const declared: Handler<'createProject'> = async () => fail('PROJECT_NAME_TAKEN')

// @ts-expect-error createProject does not declare this code.
export const undeclared: Handler<'createProject'> = async () => fail('PROJECT_NOT_FOUND')

// @ts-expect-error listProjects has no body to validate.
export const withoutBody: Handler<'listProjects'> = async () => fail('VALIDATION_FAILED')

// @ts-expect-error Handlers do not return operational codes.
export const operational: Handler<'getSession'> = async () => fail('NOT_FOUND')

// @ts-expect-error A project has six fields.
export const incomplete: Handler<'createProject'> = async () => ({ project: { id: '1', name: 'x' } })
