import pytest


@pytest.mark.parametrize("place, height", [("Brest", 7.1), ("Bergen", 1.2)])
def test_a_height_comes_back(tides, place, height):
    assert tides.put(f"/tide/{place}", json=height).status_code < 300
    assert tides.get(f"/tide/{place}").json() == height


@pytest.mark.error
def test_no_such_place(tides):
    assert tides.get("/tide/Atlantis").status_code == 404
