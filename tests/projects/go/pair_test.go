package pair

import "testing"

func TestSame(t *testing.T) {
	if !Same(Pair{1, 2}, Pair{1, 2}) {
		t.Fatal("they are the same")
	}
}

func TestOther(t *testing.T) {
	if Same(Pair{1, 2}, Pair{2, 1}) {
		t.Fatal("they are not the same")
	}
}
