/** The version of the interface, which is not that of the package. */
export const interfaceVersion = '0.1.0'
