/** A time for programs, ISO 8601 with zone; null if there is none. */
export function isoTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString()
}

/** A duration for programs, in seconds; null if there is none. */
export function secondsOf(milliseconds: number | null): number | null {
  return milliseconds === null ? null : milliseconds / 1000
}

/** Local time: `2026-11-21 13:40`, with seconds if they matter. */
export function moment(milliseconds: number | null, seconds = false): string {
  if (milliseconds === null) return ''
  const date = new Date(milliseconds)
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${seconds ? clockTime(milliseconds) : clockTime(milliseconds).slice(0, 5)}`
}

/** `14:02:11` */
export function clockTime(milliseconds: number): string {
  const date = new Date(milliseconds)
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** A duration: `17.2 s`, from one minute `00:22:10`, from one day `2-03:04:05`. */
export function duration(milliseconds: number | null): string {
  if (milliseconds === null) return ''
  if (milliseconds < 60_000) return `${(Math.min(599, Math.round(milliseconds / 100)) / 10).toFixed(1)} s`
  const seconds = Math.floor(milliseconds / 1000)
  const clock = `${two(Math.floor(seconds / 3600) % 24)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return seconds < 86_400 ? clock : `${Math.floor(seconds / 86_400)}-${clock}`
}

/** How long a run will still take: `about 12.3 s left`. */
export function leftText(milliseconds: number): string {
  return `about ${duration(milliseconds)} left`
}

/** `23 s`, `5 min`, `3 h`, `2 d`: how long ago, in its largest unit. */
export function age(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
