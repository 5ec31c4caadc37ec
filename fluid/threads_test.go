package fluid_test

import (
	"testing"
	"time"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/testrig"
)

// Where the workers' threads run changes no bit of a step. The pauses are so long that a helper parks in each.
func TestMoveThreadsChangesNoBit(t *testing.T) {
	var hash [2]uint64
	for i, move := range []bool{false, true} {
		l, _ := pool(t, fluid.Def{Resources: fluid.Resources{Workers: 2, MoveThreads: move}})
		if testrig.Pool(l).MoveThreads != move {
			t.Fatalf("the pool moves threads: %t, want %t", testrig.Pool(l).MoveThreads, move)
		}
		for range 4 {
			time.Sleep(5 * time.Millisecond)
			l.Step(testrig.Frame)
		}
		hash[i] = l.Hash()
	}
	if hash[0] != hash[1] {
		t.Errorf("%x with threads left where they are, %x with threads moved", hash[0], hash[1])
	}
}
