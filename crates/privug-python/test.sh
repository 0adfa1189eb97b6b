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
    'maturin>=1.9,<2' numpy scipy pandas pyarrow matplotlib arviz pytest nbclient nbformat ipykernel mypy
if [ "${PROFILE:-dev}" = release ]; then
    cargo build --quiet --release -p privug-cli
    cargo build --quiet --release -p privug --example lift
    PRIVUG_CLI="$PWD/target/release/privug"
    PRIVUG_LIFT="$PWD/target/release/examples/lift"
    VIRTUAL_ENV="$environment" "$environment/bin/maturin" develop --quiet --release
else
    cargo build --quiet -p privug-cli
    cargo build --quiet -p privug --example lift
    PRIVUG_CLI="$PWD/target/debug/privug"
    PRIVUG_LIFT="$PWD/target/debug/examples/lift"
    VIRTUAL_ENV="$environment" "$environment/bin/maturin" develop --quiet
fi
export PRIVUG_CLI PRIVUG_LIFT
exec "$python" -m pytest crates/privug-python/tests "$@"
