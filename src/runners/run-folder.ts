/** Folder of the records that job scripts append to, relative to the run's folder. */
export const recordsFolder = '.run/records'
/** There once somebody asked for the end of the run, relative to the run's folder. */
export const cancelFile = '.run/cancelled'
