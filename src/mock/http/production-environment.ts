/**
 * The value of NODE_ENV if it names production, also as `Production` or `prod`: the mock has no authentication. The bundler would
 * replace the text `process.env.NODE_ENV` by a constant, for React.
 */
export function productionEnvironment(): string | undefined {
  const { NODE_ENV = '' } = process.env
  return /^\s*prod(uction)?\s*$/i.test(NODE_ENV) ? NODE_ENV : undefined
}
