"""The examples for Python: what they promise, they do."""
import ast
import importlib.util
import json
import os
import pathlib
import signal

signal.alarm(240)  # what hangs is ended
EXAMPLES = pathlib.Path(os.environ["SORTIE_SOURCE"]) / "examples"


def run_cell(source, names):
    """As a notebook does: all statements, and the value of the last one where it is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None


# The notebook: its form is that of version 4.5, it holds no outputs, its cells run in order, its boards are pictures.
notebook = json.loads((EXAMPLES / "sortie.ipynb").read_text(encoding="utf-8"))
assert set(notebook) == {"cells", "metadata", "nbformat", "nbformat_minor"}
assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
names, pictures = {"__name__": "__main__"}, 0
for cell in notebook["cells"]:
    code = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
    assert set(cell) == {"cell_type", "id", "metadata", "source"} | code and isinstance(cell["source"], list)
    if code:
        assert cell["outputs"] == [] and cell["execution_count"] is None
        shown = run_cell("".join(cell["source"]), names)
        pictures += hasattr(shown, "_repr_svg_") and shown._repr_svg_().rstrip().endswith("</svg>")
assert pictures == 3, pictures

# The learner plays like chance before, and far better after a few seconds.
spec = importlib.util.spec_from_file_location("learn", EXAMPLES / "learn.py")
learn = importlib.util.module_from_spec(spec)
spec.loader.exec_module(learn)
before, after = learn.main(rounds=20)
assert 0.4 < before < 0.6 and after > 0.85, (before, after)
print("all good")
