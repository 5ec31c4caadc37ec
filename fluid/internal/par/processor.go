//go:build !linux

package par

// processor returns -1: the current processor is not known on this system.
func processor() int { return -1 }

// yieldThread does nothing.
func yieldThread() {}

// leaveProcessor does nothing.
func leaveProcessor(int) {}
