"""Tables made of other things: `pd.DataFrame.from_dict` and the like."""

import pandas as pd


def from_dict(data, orient="columns", columns=None):
    assert orient in ("columns", "index"), "`orient` is \"columns\" or \"index\" here"
    if orient == "columns":
        assert columns is None, "`columns` names the parts of rows: `orient=\"index\"`"
        return pd.DataFrame(data)
    rows = []
    for row in data.values():
        if isinstance(row, dict):
            rows.append(row)
        else:
            assert columns is not None, "name the columns, or write the rows as dictionaries"
            parts = list(row) if isinstance(row, (list, tuple)) else [row]
            rows.append({name: part for name, part in zip(columns, parts)})
    return pd.DataFrame(rows, index=list(data))


def from_records(data, columns=None):
    return pd.DataFrame(list(data)) if columns is None else pd.DataFrame(list(data), columns=columns)
