/** What work gives that may not read everything, as root may. */
export function asOrdinaryUser<Result>(work: () => Result): Result {
  const own = process.geteuid!()
  if (own === 0) process.seteuid!(65_534)
  try {
    return work()
  } finally {
    process.seteuid!(own)
  }
}
