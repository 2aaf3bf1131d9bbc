"""The examples in docstrings and in the READMEs, and that everything has one."""

import doctest
import inspect
from pathlib import Path

import pytest

import mousetrap
import mousetrap.contest
import mousetrap.errors
import mousetrap.rows
import mousetrap.study

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL * 0
HERE = Path(__file__).parent.parent


def documented():
    """Everything public with its docstring."""
    for module in (mousetrap, mousetrap.errors, mousetrap.rows, mousetrap.contest, mousetrap.study):
        yield module.__name__, module.__doc__
    for name in mousetrap.__all__:
        thing = getattr(mousetrap, name)
        if name.startswith("__"):
            continue
        yield name, thing.__doc__
        if inspect.isclass(thing):
            for key, member in vars(thing).items():
                if key.startswith("_") and key != "__arrow_c_stream__":
                    continue
                yield f"{name}.{key}", inspect.getdoc(getattr(thing, key, member))


DOCUMENTED = dict(documented())


def run(name, text, **names):
    # Fences are for editors that show Markdown; a blank line ends an example for doctest.
    lines = ["" if line.strip().startswith("```") else line for line in text.splitlines()]
    test = doctest.DocTestParser().get_doctest(
        "\n".join(lines), {"mousetrap": mousetrap, **names}, name, None, 0
    )
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    report = []
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)
    return runner.tries


@pytest.mark.parametrize("name", [name for name, text in DOCUMENTED.items() if text and ">>>" in text])
def test_examples(name, tmp_path):
    if "pyarrow" in DOCUMENTED[name] or "in batches" in DOCUMENTED[name]:
        pytest.importorskip("pyarrow")
    if ".frame()" in DOCUMENTED[name] or ".pandas()" in DOCUMENTED[name]:
        pytest.importorskip("pandas")
    assert run(name, DOCUMENTED[name], scratch=str(tmp_path)) > 0


def test_everything_is_documented_and_methods_have_examples():
    missing = [name for name, text in DOCUMENTED.items() if not text]
    assert missing == []
    wordless = []
    for name, text in DOCUMENTED.items():
        owner, _, member = name.partition(".")
        if name.startswith("mousetrap"):
            continue
        thing = getattr(mousetrap, owner)
        plain = not member or callable(getattr(thing, member, None))
        error = inspect.isclass(thing) and issubclass(thing, Exception)
        inherited = inspect.isclass(thing) and issubclass(thing, (list, tuple)) and member
        if plain and not error and not inherited and ">>>" not in text:
            wordless.append(name)
    assert wordless == []


@pytest.mark.parametrize("path", [HERE / "README.md", HERE.parent.parent / "README.md"])
def test_readme(path):
    if not path.exists():
        pytest.skip("not in a checkout")
    assert run(path.name, path.read_text()) > 0
