#!/bin/sh
# Tests audits by groups on the engines that hold tables. Arguments go to pytest; `--prepare` only makes the environment.
# PYTHON chooses the interpreter.
set -eu
cd "$(dirname "$0")/../../../.."
environment="$PWD/target/registers-venv"
python="$environment/bin/python"
if [ ! -x "$python" ]; then
    "${PYTHON:-python3}" -m venv "$environment"
fi
"$python" -m pip install --quiet --disable-pip-version-check \
    pytest pyarrow pandas duckdb sqlglot psycopg2-binary 'pyspark==4.0.*'
[ "${1:-}" != --prepare ] || exit 0
cargo build --quiet --locked --release --package privug-cli
export PRIVUG_CLI="$PWD/target/release/privug"
exec "$python" -m pytest crates/privug-cli/tests/registers -rs "$@"
