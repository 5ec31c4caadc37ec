package callguard

import (
	"fmt"
	"sync"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// Mutex keeps apart calls of several objects that share bodies. It does nothing unless Shared is set: for one object the Guard is enough.
type Mutex struct {
	Shared bool
	mu     sync.Mutex
}

// Lock waits until no other call holds the mutex.
func (m *Mutex) Lock() {
	if m.Shared {
		m.mu.Lock()
	}
}

// Unlock releases the mutex.
func (m *Mutex) Unlock() {
	if m.Shared {
		m.mu.Unlock()
	}
}

// CheckReentry panics if Lock would wait for ever: if a call is under way and this one comes from one of its callbacks. within holds names, as par.Name
// returns them, of functions that are on the stack of a callback on the goroutine of the call under way.
func (m *Mutex) CheckReentry(c *Call, within ...string) {
	if !m.Shared {
		return
	}
	if m.mu.TryLock() {
		m.mu.Unlock()
	} else if par.Helps() || par.Within(within...) {
		panic(fmt.Sprintf("fluid: %s was called from a callback while another call of a Liquid that couples the same bodies is under way", c.Name))
	}
}
