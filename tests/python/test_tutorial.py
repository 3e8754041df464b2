"""The tutorial prints what it says, and the notebook is made of it."""

import importlib.util
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_tutorial_and_notebook_are_up_to_date():
    pytest.importorskip("torch")
    pytest.importorskip("pandas")
    spec = importlib.util.spec_from_file_location("doc_python", ROOT / "scripts/doc_python.py")
    doc_python = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(doc_python)
    for path, content in doc_python.documents().items():
        assert (ROOT / path).read_text("utf-8") == content, f"{path}: scripts/doc_python.py writes it"


@pytest.mark.skipif(not shutil.which("jupyter-nbconvert"), reason="jupyter-nbconvert is not installed")
def test_jupyter_runs_the_notebook(tmp_path):
    pytest.importorskip("torch")
    shutil.copy(ROOT / "examples/tutorial.ipynb", tmp_path)  # it writes files beside it
    subprocess.run(["jupyter-nbconvert", "--to", "notebook", "--execute", "--inplace",
                    tmp_path / "tutorial.ipynb"], check=True, capture_output=True,
                   env={**os.environ, "JUPYTER_ALLOW_INSECURE_WRITES": "1"})
    cells = json.loads((tmp_path / "tutorial.ipynb").read_text())["cells"]
    shown = [output for cell in cells for output in cell.get("outputs", [])]
    assert not [output for output in shown if output["output_type"] == "error"]
    kinds = {kind for output in shown for kind in output.get("data", ())}
    assert {"image/svg+xml", "text/html", "text/plain"} <= kinds
    assert any("cases (100 %)" in "".join(output.get("text", "")) for output in shown)
