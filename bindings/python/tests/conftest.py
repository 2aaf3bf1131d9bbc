"""Tables of up to three pieces, built once for all tests in a folder that goes away."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

FOLDER = tempfile.mkdtemp(prefix="mousetrap-tests-")
os.environ["MOUSETRAP_TABLES"] = FOLDER

import mousetrap  # noqa: E402

EXAMPLES = Path(__file__).parent.parent / "examples"


def pytest_unconfigure() -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)


@pytest.fixture(scope="session")
def leiden() -> mousetrap.Tablebase:
    return mousetrap.Tablebase.open(rules="leiden")


@pytest.fixture(scope="session")
def standard() -> mousetrap.Tablebase:
    return mousetrap.Tablebase.open()
