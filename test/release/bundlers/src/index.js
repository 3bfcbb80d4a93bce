import { start } from './start.js'

void start()
