def test_the_unit_is_said(lengths):
    assert lengths("2", "km", "m").stdout == "2000 m\n"


def test_one_is_a_word(lengths):
    assert lengths("1", "km", "km").stdout == "one km\n"
