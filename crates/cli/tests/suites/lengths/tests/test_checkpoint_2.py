from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"


def test_each_line_is_answered(lengths):
    assert lengths("-", "km", "m", text="1\n2.5\n").stdout == "1000\n2500\n"


@pytest.mark.error
def test_what_is_no_number(lengths):
    assert lengths("-", "m", "m", text="1\nmany\n3\n").stdout == "1\n?\n3\n"


@pytest.mark.functionality
def test_what_was_said_is_kept(lengths, tmp_path):
    lengths("-", "m", "m", text="4\n")
    lengths("-", "m", "m", text="5\n")
    assert (tmp_path / "history.txt").read_text() == (DATA / "history.txt").read_text()


@pytest.mark.functionality
def test_tests_may_link_their_own_data(tmp_path):
    (tmp_path / "link").symlink_to(DATA)
    assert (tmp_path / "link" / "history.txt").read_text() == "4\n5\n"


@pytest.mark.regression
def test_one_length_still_works(lengths):
    assert lengths("2", "m", "m").stdout == "2\n"
