"""Tables that stay in the engine that holds them: an Ibis table is grouped there, and only counts and sums come back."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

from ._privug import RawAudit, audit_groups, plan_queries
from ._refused import program_refusal, type_refusal

_DIALECTS = {
    "duckdb": "duckdb",
    "postgres": "postgres",
    "pyspark": "spark",
    "databricks": "spark",
    "bigquery": "bigquery",
    "snowflake": "snowflake",
    "trino": "trino",
}
"""What Ibis calls the engines whose SQL is written here; others get that of DuckDB, which Ibis translates."""


_FEW_PRIOR_MEANS = 1_000
"""So many different prior means make groups of their own, which tell more than their sums do."""


def is_in_engine(table: Any) -> bool:
    """Whether it is a table of Ibis, which is somewhere else."""
    return type(table).__module__.partition(".")[0] == "ibis" and hasattr(table, "schema") and hasattr(table, "execute")


def audit_in_engine(request_of: Any, release: Tuple[str, str, Any], tables: Dict[str, Any], given: Dict[str, Any]) -> RawAudit:
    """Groups the people's table where it is, and audits the groups; `request_of` takes the tables as they are then."""
    path, text, function = release
    people, secret = _secret(tables, given["secret"])
    if given["person"] is not None or given["published_before"] is not None or given["live"]:
        message = "people in a database are audited by groups, without person=, published_before= and live="
        raise program_refusal("P830", "<tables>", message, "omit these, or pass a DataFrame")
    for name, table in tables.items():
        if name != people and is_in_engine(table):
            message = f"`{name}` is not the table of the secret, and stays in the engine"
            raise program_refusal("P830", "<tables>", message, f"read it: {name}=table.to_pandas()")
    groups = grouped(tables[people], text, given["prior"], secret, weights=given["sum_weights"])
    request = request_of({**tables, people: groups})
    return audit_groups(request, path, text, function, people, secret)


def grouped(table: Any, program: str, priors: List[str], secret: str, decimals: int = 2, weights: Optional[str] = None) -> Any:
    """The groups of an Ibis table, as a table of pyarrow. Sums are of decimals with as many digits as the secret has. Of the
    column `weights` sums are made, instead of grouping by it."""
    names = list(table.columns)
    if weights is not None and (weights not in names or weights == secret):
        message = f"`{weights}` is not a column of weights in this table"
        raise program_refusal("P801", "<tables>", message, f"the columns are {', '.join(names)}")
    if secret not in names:
        raise program_refusal("P801", "<tables>", f"the table has no column `{secret}`", f"the columns are {', '.join(names)}")
    kind = table.schema()[secret]
    decimals = int(getattr(kind, "scale", None) or 0) if kind.is_decimal() else 0 if kind.is_integer() else decimals
    connection = table._find_backend(use_default=True)
    dialect = _DIALECTS.get(connection.name)
    import ibis

    source = f"({ibis.to_sql(table, dialect=None if dialect else 'duckdb')})"

    def planned(digits: int, sums: bool) -> Tuple[str, Optional[str]]:
        _, query, _, own = plan_queries(program, priors, names, secret, source, "privug_results", digits, dialect or "duckdb", sums, weights)
        return query, own

    # Prior means that are nearly everybody's own are not grouped by.
    own = planned(decimals, True)[1]
    sums = own is not None and int(table[own].nunique().execute()) > _FEW_PRIOR_MEANS
    for digits in (decimals, 6, 12, 18):
        if digits < decimals:
            continue
        query, _ = planned(digits, sums)
        answer = connection.sql(query) if dialect else connection.sql(query, dialect="duckdb")
        groups = answer.to_pyarrow()
        inexact = sum(groups.column("privug_inexact").to_pylist())
        if not inexact or not kind.is_floating():
            break
    return groups


def _secret(tables: Dict[str, Any], secrets: List[str]) -> Tuple[str, str]:
    if len(secrets) != 1:
        raise type_refusal("P830", "several secrets cannot be audited by groups", "audit them one by one")
    people, _, column = secrets[0].rpartition(".")
    people = people.strip() or next(iter(tables))
    if people not in tables or not is_in_engine(tables[people]):
        raise type_refusal("P830", f"`{people}` is not the table in the engine", "the secret is a column of that table")
    return people, column.strip()

