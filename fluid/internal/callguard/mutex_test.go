package callguard

import (
	"strings"
	"testing"

	"github.com/meniscus3d/meniscus/fluid/internal/par"
)

// callback returns the result of a call from a callback of a call that holds a mutex.
func callback(m *Mutex, within ...string) (text string) {
	m.Lock()
	defer m.Unlock()
	return panics(func() { m.CheckReentry(&Step, within...) })
}

// A call from a callback would wait for its caller, and panics. A call from another goroutine waits. Without sharing no call waits.
func TestMutexRefusesToWaitForItself(t *testing.T) {
	name := par.Name(callback)
	m := &Mutex{Shared: true}
	if got := callback(m, name); !strings.Contains(got, "Step was called from a callback while another call") {
		t.Errorf("in a callback: %q", got)
	}
	if got := callback(m); got != "" {
		t.Errorf("in no callback: %q", got)
	}
	if got := panics(func() { m.CheckReentry(&Step, name) }); got != "" {
		t.Errorf("when no call is under way: %q", got)
	}
	if got := callback(&Mutex{}, name); got != "" {
		t.Errorf("not shared: %q", got)
	}
	for _, shared := range []bool{true, false} {
		m := &Mutex{Shared: shared}
		m.Lock()
		if free := m.mu.TryLock(); free == shared {
			t.Errorf("shared %v: another may begin: %v", shared, free)
		}
	}
}
