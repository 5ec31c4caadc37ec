package callguard

import (
	"fmt"
	"sync"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Mutex keeps calls of several objects apart that act on all of them. As long as only one object has it, which is not Shared, the object's Guard is enough.
type Mutex struct {
	Shared bool
	mu     sync.Mutex
}

// Lock waits until no other call is under way.
func (m *Mutex) Lock() {
	if m.Shared {
		m.mu.Lock()
	}
}

// Unlock ends what Lock began.
func (m *Mutex) Unlock() {
	if m.Shared {
		m.mu.Unlock()
	}
}

// MayWait panics if a call is under way and this one comes from a callback, perhaps of that call: it would wait for ever. within names the functions,
// as par.Name does, of which one is on the stack of callbacks on the goroutine of the call that is under way.
func (m *Mutex) MayWait(c *Call, within ...string) {
	if !m.Shared {
		return
	}
	if m.mu.TryLock() {
		m.mu.Unlock()
	} else if par.Helps() || par.Within(within...) {
		panic(fmt.Sprintf("fluid: %s was called from a callback while another call of a Liquid that couples the same bodies is under way", c.Name))
	}
}
