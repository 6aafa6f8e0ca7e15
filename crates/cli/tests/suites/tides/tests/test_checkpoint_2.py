import pytest


def test_the_highest(tides):
    tides.put("/tide/Bergen", json=1.2)
    tides.put("/tide/Fundy", json=16.3)
    assert tides.get("/highest").json() == {"place": "Fundy", "height": 16.3}


@pytest.mark.functionality
def test_it_ends_when_asked(server_of_my_own):
    server_of_my_own.terminate()
    assert server_of_my_own.wait(timeout=5) == 0
