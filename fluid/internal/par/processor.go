//go:build !linux

package par

// processor is -1: it can't be known on which processor a thread is.
func processor() int { return -1 }

// giveWay does nothing.
func giveWay() {}

// leave does nothing.
func leave(int) {}
