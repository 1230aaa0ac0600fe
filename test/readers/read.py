"""Reads files with a program that people use, as they would: READER FILE…. Prints a list of their rows as JSON."""
import datetime, json, math, sqlite3, sys

reader, *paths = sys.argv[1:]
end = paths[0].rsplit('.', 1)[1]


def plain(value):
    """A value as JSON: a time as its milliseconds, a long number as text, and words for what JSON lacks."""
    if value is None or type(value).__name__ in ('NAType', 'NaTType'):
        return None
    if hasattr(value, 'isoformat'):
        return {'time': round(value.timestamp() * 1000)} if value.tzinfo else f'without zone: {value.isoformat()}'
    if hasattr(value, 'item'):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return str(value) if isinstance(value, int) and abs(value) > 2**53 else value


def of_pandas(frame):
    return frame.astype(object).to_dict('records')


def pandas(path):
    import pandas
    # As usual, it makes the number 7 of the text 007, and another number of 0.1234567890123456.
    if end == 'jsonl':
        return of_pandas(pandas.read_json(path, lines=True, dtype=False, precise_float=True))
    if end == 'sqlite':
        return of_pandas(pandas.read_sql('select * from groups', sqlite3.connect(path)))
    return of_pandas(pandas.read_csv(path) if end == 'csv' else pandas.read_parquet(path))


def fastparquet(path):
    import fastparquet
    # It has no zones: its times are UTC.
    frame = fastparquet.ParquetFile(path).to_pandas()
    return of_pandas(frame.assign(**{name: frame[name].dt.tz_localize('UTC') for name in frame if frame[name].dtype.kind == 'M'}))


def polars(path):
    import polars
    if end == 'sqlite':
        return polars.read_database('select * from groups', sqlite3.connect(path)).to_dicts()
    read = {'csv': polars.read_csv, 'jsonl': polars.read_ndjson, 'parquet': polars.read_parquet}
    return read[end](path).to_dicts()


def duckdb(path):
    import duckdb
    # Whoever is elsewhere gets the same times.
    duckdb.sql("set timezone = 'America/New_York'")
    return duckdb.sql(f"select * from '{path}'").to_arrow_table().to_pylist()


def pyarrow(path):
    import pyarrow.csv, pyarrow.json, pyarrow.parquet
    read = {'csv': pyarrow.csv.read_csv, 'jsonl': pyarrow.json.read_json, 'parquet': pyarrow.parquet.read_table}
    return read[end](path).to_pylist()


read = {'pandas': pandas, 'fastparquet': fastparquet, 'polars': polars, 'DuckDB': duckdb, 'pyarrow': pyarrow}[reader]
rows = [[{name: plain(value) for name, value in row.items()} for row in read(path)] for path in paths]
print(json.dumps(rows, allow_nan=False))
