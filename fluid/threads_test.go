package fluid

import (
	"testing"
	"time"
)

// Where the workers' threads run changes no bit of a step. The pauses are so long that a helper parks in each.
func TestMoveThreadsChangesNoBit(t *testing.T) {
	var hash [2]uint64
	for i, move := range []bool{false, true} {
		l, _ := pool(t, Def{Workers: 2, MoveThreads: move})
		if l.sim.pool.MoveThreads != move {
			t.Fatalf("the pool moves threads: %t, want %t", l.sim.pool.MoveThreads, move)
		}
		for range 4 {
			time.Sleep(5 * time.Millisecond)
			l.Step(frame)
		}
		hash[i] = l.Hash()
	}
	if hash[0] != hash[1] {
		t.Errorf("%x with threads left where they are, %x with threads moved", hash[0], hash[1])
	}
}
