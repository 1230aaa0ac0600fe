// Read by Node before the program: what Node says of the system that it runs on.
Object.defineProperty(process, 'platform', { value: 'darwin' })
