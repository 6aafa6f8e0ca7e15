import json
import sys

import pytest
from samples import samples


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample["name"])
def test_a_sample(lengths, sample):
    assert lengths(sample["length"], sample["from"], sample["to"]).stdout == sample["answer"] + "\n"


def test_the_table_is_the_asset(units, lengths):
    for unit, metres in json.loads(units.read_text()).items():
        assert float(lengths("1", unit, "m").stdout) == pytest.approx(float(metres), abs=0.0005)


@pytest.mark.error
@pytest.mark.parametrize("unit", ["ell", "two words", "日"])
def test_an_unknown_unit(lengths, unit):
    ended = lengths("1", unit, "m")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert unit in ended.stderr


@pytest.mark.rounding
@pytest.mark.functionality
def test_three_digits(lengths):
    assert lengths("1", "m", "ft").stdout == "3.281\n"


class TestSafety:
    @pytest.mark.safety
    def test_no_trace_of_python(self, lengths):
        assert "Traceback" not in lengths("x", "m", "m").stderr

    @pytest.mark.skipif(sys.platform == "linux", reason="not here")
    def test_elsewhere(self):
        raise AssertionError

    @pytest.mark.xfail(reason="nobody does this yet")
    def test_miles(self, lengths):
        assert lengths("1", "mile", "m").stdout == "1609.344\n"

    @pytest.mark.xfail(reason="some do this already")
    def test_feet(self, lengths):
        assert lengths("10", "ft", "m").stdout == "3.048\n"


def test_in_a_dry_place(dry_place, lengths):
    assert lengths("3", "m", "m").stdout == "3\n"
