import { stringify } from 'yaml'
import { openApiDocument } from '../contract/openapi.js'
import { openApiText } from '../pages/documents.js'

/** The interface as an OpenAPI document in JSON or YAML. */
export const describeInterface = (format: 'json' | 'yaml'): string =>
  format === 'json' ? openApiText() : stringify(openApiDocument(), { aliasDuplicateObjects: false })
