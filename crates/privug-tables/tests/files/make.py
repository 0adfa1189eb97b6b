"""Writes the files of this folder with pyarrow: the same tables as Parquet and as Arrow files of three kinds."""

import datetime
import decimal
import pathlib

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet

HERE = pathlib.Path(__file__).parent
DAY = datetime.date(1970, 1, 1)
NOON = datetime.time(12, 0, 0, 250_000)


def column(values, kind):
    return pa.array(values, type=kind)


def decimals(*texts):
    return [decimal.Decimal(text) for text in texts]


TABLES = {
    "people": {
        "id": column([1, 2, 3], pa.uint64()),
        "age": column([25, -1, 40], pa.int32()),
        "small": column([200, 0, 7], pa.uint8()),
        "tiny": column([-128, 0, 127], pa.int8()),
        "wide": column([4_000_000_000, 0, 1], pa.uint32()),
        "income": column([1.5, 2.5, 0.1], pa.float64()),
        "weight": column([0.5, 1.0, 2.0], pa.float32()),
        "half": column([0.5, -1.0, 65504.0], pa.float16()),
        "fee": column(decimals("1.50", "0.25", "-0.05"), pa.decimal128(10, 2)),
        "budget": column(decimals("1.50", "0.25", "-0.05"), pa.decimal256(50, 2)),
        "sex": column(["male", "female", "male"], pa.dictionary(pa.int8(), pa.string())),
        "code": column([10, 20, 10], pa.dictionary(pa.int16(), pa.int64())),
        "town": column(["Aarhus", "Odense", "Aarhus"], pa.string()),
        "note": column(["", "NA", "x"], pa.large_string()),
        "long": column(["short", "longer than twelve bytes", "æøå"], pa.string_view()),
        "member": column([True, False, True], pa.bool_()),
        "born": column([DAY, datetime.date(2020, 1, 1), datetime.date(1969, 12, 31)], pa.date32()),
        "moved": column([DAY, datetime.date(2020, 2, 29), datetime.date(1969, 12, 31)], pa.date64()),
        "seen": column([0, 1_500_000, 2_000_000], pa.timestamp("us")),
        "heard": column([0, 1_500, -1], pa.timestamp("ms", tz="Europe/Copenhagen")),
        "read": column([0, 1, 1_000_000_001], pa.timestamp("ns")),
        "noon": column([NOON, NOON, NOON], pa.time64("us")),
        "nothing": pa.nulls(3),
    },
    "gaps": {
        "x": column([1.0, float("nan"), 3.0, 4.0], pa.float64()),
        "g": column(["a", "b", None, "a"], pa.string()),
        "k": column([1, None, 3, 4], pa.int64()),
        "b": column([True, None, False, True], pa.bool_()),
        "d": column(["u", None, "v", "u"], pa.dictionary(pa.int32(), pa.string())),
    },
    "infinite": {"x": column([1.0, float("inf")], pa.float64())},
    "large": {"x": column([1, 2**64 - 1], pa.uint64())},
    "nested": {"x": column([[1]], pa.list_(pa.int8()))},
    "binary": {"x": column([b"\xff"], pa.binary())},
    "empty": {"x": column([], pa.int32())},
    "zeros": {"x": column([0.0] * 1000, pa.float64())},
}

for name, columns in TABLES.items():
    table = pa.table(columns)
    pa.parquet.write_table(table, HERE / f"{name}.parquet", compression="snappy")
    with pa.ipc.new_file(HERE / f"{name}.arrow", table.schema) as writer:
        writer.write_table(table)
    packed = pa.ipc.IpcWriteOptions(compression="lz4")
    with pa.ipc.new_file(HERE / f"{name}.feather", table.schema, options=packed) as writer:
        writer.write_table(table)
    with pa.ipc.new_stream(HERE / f"{name}.arrows", table.schema) as writer:
        writer.write_table(table)

# Two groups of rows, pages without and with a dictionary, and the format that old programs write.
rows = pa.table({"town": ["a", "b", None] * 50, "k": list(range(150)), "t": pa.array([0, 1, 2] * 50, pa.timestamp("ns"))})
for name, options in {
    "old": {"version": "1.0", "use_deprecated_int96_timestamps": True, "compression": "gzip"},
    "plain": {"use_dictionary": False, "data_page_version": "2.0", "compression": "lz4"},
    "delta": {"use_dictionary": False, "column_encoding": {"town": "DELTA_BYTE_ARRAY", "k": "DELTA_BINARY_PACKED"}},
    "packed": {"compression": "zstd"},
}.items():
    pa.parquet.write_table(rows, HERE / f"{name}.parquet", row_group_size=100, **options)
