import { start } from './start-in-vite.js'

void start()
