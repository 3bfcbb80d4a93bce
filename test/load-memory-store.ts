// The mock starts to load its store when it is created, without waiting. If a worker keeps its modules, a test file that ends
// before would leave a broken module to the next files. So the module is loaded first.
import '../src/store/memory/memory-store.js'
