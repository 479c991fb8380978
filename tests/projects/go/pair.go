// Package pair holds pairs that are compared field by field.
package pair

import "github.com/google/go-cmp/cmp"

// Pair is two numbers.
type Pair struct{ A, B int }

// Same says whether two pairs are the same.
func Same(one, other Pair) bool { return cmp.Equal(one, other) }
