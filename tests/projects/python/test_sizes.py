from sizes import size


def test_of_an_empty_file():
    assert size(0) == "0 Bytes"
