// Bundles as `rolldown --config` does, which lists two hundred files each time.
import { build } from 'rolldown'
import bundles from '../rolldown.config.js'

for (const bundle of bundles) await build(bundle)
