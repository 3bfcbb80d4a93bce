import * as z from 'zod'
import { type ErrorCode, errors } from '../../contract/errors.js'
import { maxBodyBytes } from '../../contract/limits.js'
import {
  type Operation,
  type OperationName,
  operationalCodesOf,
  operations,
} from '../../contract/operations.js'
import { storable } from '../../contract/schemas.js'
import { outcomesOf } from './outcomes.js'
import { possibleScenarios } from './scenarios.js'
import { isOperation, type TargetKind, type TargetName } from './target-name.js'
import type { Targets } from './targets.js'

/** A target in few words. Only an operation has a contract. */
export type DescribedTarget = {
  target: string
  kind: TargetKind | 'scenario'
  /** The method and the path. */
  request?: string
  about?: string
  /** Who may call it, and the errors for others. */
  who?: string
  /** The fields of the body with their types and limits; optional ones have a `?`. */
  body?: unknown
  bodyLimits?: string
  query?: unknown
  /** The body of the success by its status; the message of each other error, by its status and code. */
  responses?: Record<string, unknown>
  errorBody?: string
  /** What can be forced, beside the errors among the responses. */
  otherOutcomes?: (string | number)[]
}

/** The errors of a caller who may not call an operation. */
const ofCaller: ReadonlySet<ErrorCode> = new Set([
  'AUTH_REQUIRED',
  'ONBOARDING_REQUIRED',
  'TEAM_MEMBERSHIP_REQUIRED',
  'INSUFFICIENT_PERMISSIONS',
])

const callers = {
  public: 'everyone, also signed out',
  session: 'every session',
  team: 'a session whose organisation has a team',
}

/**
 * Describes a target: an operation by its contract, a named scenario by what it does.
 * @throws ControlError for an unknown target, with the known ones
 */
export function describeTarget(name: string, targets: Targets): DescribedTarget {
  const { named } = possibleScenarios()
  const scenario = Object.entries(named).find(([each]) => each === name)
  if (scenario) return { target: name, kind: 'scenario', about: scenario[1] }
  const target = targets.resolve(name)
  targets.check(target, 'target', Object.keys(named))
  const found = targets.find(target)
  const about = {
    target,
    kind: found?.kind ?? 'unanswered',
    request: found && `${found.method} ${found.path}`,
  }
  return isOperation(target)
    ? { ...about, ...describeOperation(target) }
    : { ...about, otherOutcomes: outcomesOf(target as TargetName) }
}

function describeOperation(name: OperationName) {
  const operation: Operation = operations[name]
  const { description, access, permission, body, query, success, errors: codes } = operation
  const { mediaType, tooLarge, notAnObject, invalid } = body?.faults ?? {}
  const statusOf = (code: ErrorCode) => `${errors[code].status} ${code}`
  const who = permission ? `${callers[access]}, with the permission ${permission}` : callers[access]
  const refusals = codes.filter((code) => ofCaller.has(code)).map(statusOf)
  const others = codes.filter((code) => !ofCaller.has(code) && !(body && code === 'VALIDATION_FAILED'))
  const isStorable = body && JSON.stringify(jsonSchema(body.schema)).includes(storable)
  return {
    about: description,
    who: refusals.length > 0 ? `${who} (else ${refusals.join(', ')})` : who,
    ...(body && {
      body: shapeOf(jsonSchema(body.schema)),
      bodyLimits: `application/json (else ${mediaType}) of at most ${maxBodyBytes} bytes (else ${tooLarge}), an object (else ${notAnObject}) that fits (else ${invalid} VALIDATION_FAILED)${isStorable ? ', texts without U+0000 and lone surrogates' : ''}`,
    }),
    ...(query && { query: shapeOf(jsonSchema(query.schema)) }),
    responses: {
      [success.status]: success.schema ? shapeOf(jsonSchema(success.schema), false) : 'no body',
      ...Object.fromEntries(others.map((code) => [statusOf(code), errors[code].message])),
    },
    errorBody:
      operation.errorForm === 'short' ? '{ error }' : '{ error, code, docsUrl }, of a 422 also details',
    otherOutcomes: [
      ...operationalCodesOf(operation).map(statusOf),
      ...outcomesOf(name).filter((outcome) => !(outcome in errors)),
    ],
  }
}

type Schema = {
  type?: string | string[]
  const?: unknown
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  minLength?: number
  maxLength?: number
}

const jsonSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input' }) as Schema

/** The types of a schema, in the form of its values. @param hasDetails whether with limits and descriptions */
function shapeOf(schema: Schema, hasDetails = true): unknown {
  if (schema.properties) {
    const { required = [] } = schema
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => [
        required.includes(name) ? name : `${name}?`,
        shapeOf(field, hasDetails),
      ]),
    )
  }
  if (schema.items) return [shapeOf(schema.items, hasDetails)]
  const { minLength, maxLength } = schema
  // What holds for each text is said once.
  const description = schema.description?.replace(storable, '').trim()
  const limits = [
    typeOf(schema),
    minLength !== undefined &&
      !description?.includes('at least') &&
      `at least ${minLength} ${minLength === 1 ? 'character' : 'characters'}`,
    maxLength !== undefined && `at most ${maxLength} characters`,
  ]
  if (!hasDetails) return typeOf(schema)
  return [limits.filter(Boolean).join(', '), description].filter(Boolean).join('. ')
}

const typeOf = ({ type, const: value, anyOf }: Schema): string =>
  value !== undefined
    ? JSON.stringify(value)
    : [type ?? anyOf?.map(typeOf) ?? 'any value'].flat().join(' or ')
