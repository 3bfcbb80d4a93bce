import { fail, type Handler } from '../../src/handlers/handler.js'

// Compiling this file is the test: tsc reports a directive that expects an error where there is none.

export const declared: Handler<'createProject'> = async () => fail('PROJECT_NAME_TAKEN')

// @ts-expect-error A creation does not declare this code.
export const undeclared: Handler<'createProject'> = async () => fail('PROJECT_NOT_FOUND')

// @ts-expect-error The list has no body that could be at fault.
export const withoutBody: Handler<'listProjects'> = async () => fail('VALIDATION_FAILED')

// @ts-expect-error Operational codes are not a handler's to answer.
export const operational: Handler<'getSession'> = async () => fail('NOT_FOUND')

// @ts-expect-error A project has six fields.
export const incomplete: Handler<'createProject'> = async () => ({ project: { id: '1', name: 'x' } })
