/** The version of the interface, which differs from that of the package. */
export const interfaceVersion = '0.1.0'
