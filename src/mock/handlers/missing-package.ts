/** The package in a bare specifier, of which `@/` and `~/` are none: they are aliases of bundlers. */
const bare = /^((?:@[a-z\d][\w.~-]*\/)?[a-z\d][\w.~-]*)(?:\/|$)/i

/** @returns the package that a file outside packages imports, and that is not installed; undefined for other errors */
export function missingPackage(error: unknown): string | undefined {
  const { code, message, requireStack } = Object(error)
  if (code !== 'MODULE_NOT_FOUND' || /[\\/]node_modules[\\/]/.test(requireStack?.[0])) return undefined
  // Node gives the specifier in the message alone.
  const [, specifier = ''] = /'(.+?)'/.exec(message) ?? []
  return bare.exec(specifier)?.[1]
}
