// The health check of the image: exits with 0 while the service in the container responds, on the address of its settings.
import { get } from 'node:http'

// As the service reads them: trimmed, an address also in brackets, and an empty one as unset.
const host = process.env.DASHBOARD_API_HOST?.trim().replace(/^\[|\]$/g, '') || '127.0.0.1'
const port = process.env.DASHBOARD_API_PORT?.trim() || 8080
const request = get({ host, port, path: '/healthz', timeout: 4_000 }, ({ statusCode }) =>
  process.exit(statusCode === 200 ? 0 : 1),
)
request.once('timeout', () => process.exit(1)).once('error', () => process.exit(1))
