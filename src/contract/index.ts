// The package's `dashboard-api/contract`: schemas, types, error catalogue, operations.
export {
  type ErrorCode,
  type ErrorEntry,
  errorDocsPath,
  errors,
  type InterfaceErrorCode,
  interfaceErrors,
  type OperationalErrorCode,
  operationalErrors,
} from './errors.js'
export { maxBodyBytes } from './limits.js'
export {
  type BodyOf,
  type CodeOf,
  type InputOf,
  type Operation,
  type OperationName,
  type Operations,
  operations,
  type ParamsOf,
  type SuccessOf,
} from './operations.js'
export { nameKey } from './project-name.js'
export * from './schemas.js'
