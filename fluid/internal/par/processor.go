//go:build !linux

package par

// processor is -1: it can't be known on which processor a thread is.
func processor() int { return -1 }

// yieldThread does nothing.
func yieldThread() {}

// leaveProcessor does nothing.
func leaveProcessor(int) {}
