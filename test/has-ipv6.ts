import { networkInterfaces } from 'node:os'

/** Some containers have no IPv6. */
export const hasIPv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
)
