// The JSON files of the package. Import attributes need a module format later than node16.
import demo from 'dashboard-api/fixtures/demo.json' with { type: 'json' }
import { createMockServer } from 'dashboard-api/node'
import openapi from 'dashboard-api/openapi.json' with { type: 'json' }
import schema from 'dashboard-api/state.schema.json' with { type: 'json' }

export const mock = createMockServer({ fixtures: demo })
export const titles: string[] = [openapi.info.title, schema.title]
