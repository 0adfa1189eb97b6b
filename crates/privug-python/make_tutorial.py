"""Makes docs/tutorial.ipynb from docs/tutorial.py and runs it.

`--check` runs the notebook without writing it, and tells whether its cells are those of the script.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "docs" / "tutorial.py"
NOTEBOOK = ROOT / "docs" / "tutorial.ipynb"


def cells() -> Any:
    """The notebook without outputs."""
    notebook = nbformat.v4.new_notebook()
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    for index, part in enumerate(re.split(r"^# %%", SCRIPT.read_text(), flags=re.MULTILINE)[1:]):
        head, _, body = part.partition("\n")
        if "[markdown]" in head:
            text = "\n".join(re.sub(r"^# ?", "", line) for line in body.strip().splitlines())
            cell = nbformat.v4.new_markdown_cell(text)
        else:
            cell = nbformat.v4.new_code_cell(body.strip())
        cell["id"] = f"cell-{index}"
        notebook.cells.append(cell)
    return notebook


def execute(notebook: Any) -> Any:
    """Runs all cells; an error in one of them is raised."""
    NotebookClient(notebook, timeout=None, resources={"metadata": {"path": str(ROOT)}}).execute()
    for cell in notebook.cells:
        # When a cell ran is no part of the document.
        cell.metadata.pop("execution", None)
    return notebook


def main() -> int:
    notebook = execute(cells())
    if "--check" not in sys.argv[1:]:
        notebook.metadata.pop("language_info", None)
        nbformat.write(notebook, NOTEBOOK)
        return 0
    written = nbformat.read(NOTEBOOK, as_version=4)
    if [cell.source for cell in written.cells] != [cell.source for cell in notebook.cells]:
        print("docs/tutorial.ipynb is not that of docs/tutorial.py: run make_tutorial.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
