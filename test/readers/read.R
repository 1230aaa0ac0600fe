# Reads files with a program that people use, as they would: READER FILE…. Prints a list of their rows as JSON.
words <- commandArgs(TRUE)
read <- switch(words[1],
  "R" = function(path) read.csv(path, check.names = FALSE),
  "readr" = function(path) readr::read_csv(path, show_col_types = FALSE),
  "data.table" = function(path) suppressWarnings(data.table::fread(path)),
  "jsonlite" = function(path) jsonlite::stream_in(file(path), verbose = FALSE),
  "RSQLite" = function(path) {
    DBI::dbReadTable(DBI::dbConnect(RSQLite::SQLite(), path), "groups", check.names = FALSE)
  })
# A time as its milliseconds, and words for what JSON lacks.
plain <- function(values) {
  if (inherits(values, "POSIXct")) return(lapply(as.numeric(values), function(x) list(time = round(x * 1000))))
  lapply(values, function(x) {
    if (is.na(x)) return(NULL)
    # All its digits: as a number, it would get 15.
    if (is.double(x)) return(if (is.infinite(x)) "inf" else list(double = sprintf("%.17g", x)))
    x
  })
}
rows <- function(path) {
  frame <- read(path)
  columns <- lapply(as.list(frame), plain)
  lapply(seq_len(nrow(frame)), function(at) lapply(columns, function(column) column[[at]]))
}
cat(jsonlite::toJSON(lapply(words[-1], rows), auto_unbox = TRUE, null = "null"))
