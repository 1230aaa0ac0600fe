import { defineConfig } from 'vitest/config'

/** What is tried by the hundred: crashes, full disks, crowds, hostile arguments, broken files, projects of strangers. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    globalSetup: ['test/build.ts', 'test/faults/build.ts'],
    maxWorkers: '100%',
    // What was tried is said at the end of each suite.
    disableConsoleIntercept: true,
    // As in vitest.config.ts.
    env: { NODE_EXTRA_CA_CERTS: '' },
    // A limit against hanging, not a measure of speed.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
})
