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


def dictionary(places, values, kind=pa.string()):
    return pa.DictionaryArray.from_arrays(pa.array(places, pa.int8()), pa.array(values, kind))


def batch(**columns):
    return pa.record_batch(columns)


def write(name, batches, is_stream, **options):
    options = pa.ipc.IpcWriteOptions(**options)
    new = pa.ipc.new_stream if is_stream else pa.ipc.new_file
    with new(HERE / name, batches[0].schema, options=options) as writer:
        for one in batches:
            writer.write_batch(one)


# A dictionary that grows, one that is replaced, and one with a missing value in it.
first, more = ["north", "south"], ["north", "south", None, "east"]
grown = [
    batch(region=dictionary([1, 0, None], first), x=column([1, 2, 3], pa.int64())),
    batch(region=dictionary([3, 2, 0], more), x=column([4, 5, 6], pa.int64())),
]
write("grown.arrow", grown, False, emit_dictionary_deltas=True)
write("grown.arrows", grown, True, emit_dictionary_deltas=True)
write("grown.feather", grown, False, emit_dictionary_deltas=True, compression="lz4")
other = [grown[0], batch(region=dictionary([1, 0, 1], ["west", "east"]), x=column([4, 5, 6], pa.int64()))]
write("replaced.arrows", other, True)

# As programs wrote before 2019: messages without a mark in front.
people = pa.table(TABLES["people"]).drop_columns(["long"])
V4 = pa.ipc.MetadataVersion.V4
for name, is_stream in {"unmarked.arrow": False, "unmarked.arrows": True}.items():
    write(name, people.to_batches(), is_stream, use_legacy_format=True, metadata_version=V4)

write("packed.arrow", people.to_batches(), False, compression="zstd")
write("packed.arrows", people.to_batches(), True, compression="zstd")


def little(data, at, size, signed=False):
    return int.from_bytes(data[at : at + size], "little", signed=signed)


def place(data, table, field):
    """Where a field of a FlatBuffers table is."""
    offsets = table - little(data, table, 4, signed=True)
    return table + little(data, offsets + 4 + 2 * field, 2)


def target(data, at):
    """Where an offset leads."""
    return at + little(data, at, 4)


def header(data):
    return target(data, place(data, target(data, 0), 2))


def changed(data, at, value, size):
    return data[:at] + value.to_bytes(size, "little") + data[at + size :]


def with_dictionary(schema, column, number):
    """A schema in which a column uses the dictionary of this number."""
    fields = target(schema, place(schema, header(schema), 1))
    encoding = target(schema, place(schema, target(schema, fields + 4 + 4 * column), 4))
    return changed(schema, place(schema, encoding, 0), number, 8)


def message(metadata, body):
    return b"\xff\xff\xff\xff" + len(metadata).to_bytes(4, "little") + metadata + body


def stream(name, parts):
    (HERE / f"{name}.arrows").write_bytes(b"".join(message(*one) for one in parts) + message(b"", b""))


def messages(batches):
    """Descriptions and bodies of a stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batches[0].schema) as writer:
        for one in batches:
            writer.write_batch(one)
    found = list(pa.ipc.MessageReader.open_stream(sink.getvalue()))
    return [(one.metadata.to_pybytes(), one.body.to_pybytes() if one.body else b"") for one in found]


# pyarrow gives every column a dictionary of its own: here both columns use the first one.
for name, kind, values in [("shared", pa.string(), first), ("mixed", pa.int64(), [10, 20])]:
    pair = batch(lives=dictionary([1, 0, None], first), works=dictionary([0, 0, 1], values, kind))
    schema, dictionary_of_first, _, rows = messages([pair])
    schema = (with_dictionary(schema[0], 1, 0), schema[1])
    stream(name, [schema, dictionary_of_first, rows])

# A file in which the addition to a dictionary is said to replace it: one behind the other, with an index of both.
sink = (HERE / "grown.arrow").read_bytes()
for one in pa.ipc.MessageReader.open_stream(sink[8:]):
    data = one.metadata.to_pybytes()
    if one.type == "dictionary" and b"\1" in data[place(data, header(data), 2) :][:1]:
        sink = sink.replace(data, changed(data, place(data, header(data), 2), 0, 1))
(HERE / "replaced.arrow").write_bytes(sink)

# Columns that say something else of themselves than their bytes: how many values are missing, and how long they are.
simple = messages([batch(x=column([1, None, 3], pa.int64()))])
rows, body = simple[1]
node = target(rows, place(rows, header(rows), 1)) + 4
stream("miscounted", [simple[0], (changed(rows, node + 8, 0, 8), body)])
stream("shorter", [simple[0], (changed(rows, node, 2, 8), body)])

# The version of the format that Arrow wrote before 2017.
stream("ancient", [(changed(one, place(one, target(one, 0), 0), 2, 2), body) for one, body in simple])
